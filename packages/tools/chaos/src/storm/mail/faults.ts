export type Step = 'RCPT' | 'DATA' | 'TEXT'

/** `final`: the store must not send the mail again. `slow`: every response to this mail from the step on. */
type Fault = { at: Step } & (
  | { does: 'reply'; reply: string; final?: true }
  | { does: 'silence' | 'slow' | 'close' }
  /** Only at `TEXT`: the mail is taken, and the connection is closed before the response. */
  | { does: 'take and close' }
)

/** What the mail server does with a mail instead of taking it. */
const mailFaults = {
  'RCPT: no response': { at: 'RCPT', does: 'silence' },
  'RCPT: later': { at: 'RCPT', does: 'reply', reply: '451 4.3.0 later' },
  'RCPT: no such mailbox': { at: 'RCPT', does: 'reply', reply: '550 5.1.1 no such mailbox', final: true },
  'RCPT: relaying denied': { at: 'RCPT', does: 'reply', reply: '554 5.7.1 relaying denied' },
  'RCPT: slow': { at: 'RCPT', does: 'slow' },
  'DATA: no space': { at: 'DATA', does: 'reply', reply: '452 4.3.1 no space' },
  'DATA: refused': { at: 'DATA', does: 'reply', reply: '554 no valid recipients', final: true },
  'text: no response': { at: 'TEXT', does: 'silence' },
  'text: later': { at: 'TEXT', does: 'reply', reply: '451 4.7.1 greylisted' },
  'text: mailbox full': { at: 'TEXT', does: 'reply', reply: '552 5.2.2 mailbox full', final: true },
  'text: closed': { at: 'TEXT', does: 'close' },
  'text: taken and closed': { at: 'TEXT', does: 'take and close' },
} satisfies Record<string, Fault>
export const NO_GREETING = 'no greeting'

/** Every fault that a run has. */
export const mailFaultNames: string[] = [NO_GREETING, ...Object.keys(mailFaults)]

export const faultOf = (name: string): Fault => mailFaults[name as keyof typeof mailFaults]
