import { readFileSync } from 'node:fs'

/** A response that the mail server did not give, gave late, or by which it refused; times in ms since 1970. */
export type MailFault = {
  fault: string
  from: number
  /** Undefined: until now. */
  to?: number
  /** End of the response by which the mail was refused for good; it is in the error that the store keeps. */
  final?: string
}

/** An attempt of a process to send a mail. */
export type MailAttempt = {
  messageId: string
  from: number
  /** Whether the mail server took the mail. Undefined: the process got no response and no error. */
  taken?: boolean
  /** The mail server's response, if it did not take the mail. */
  response?: string
  /** Whether the process ran on after the response, long enough to store it. */
  storedIt?: boolean
}

export type MailRecord = {
  faults: MailFault[]
  attempts: MailAttempt[]
  /** While notification's processes were stopped: their transactions stay open meanwhile. */
  pauses: { from: number; to: number }[]
}

type Line = Record<string, any> & { at: string; actor: string; what: string }

/** A process stores a response within this time unless it is killed. */
const STORED_WITHIN_MS = 2_000

const relevant = ['"actor":"mail', '"program":"notification"']

/** What the mail server did, and what the processes saw of it, by the journal. */
export function readMailRecord(file: string): MailRecord {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => relevant.some((text) => line.includes(text)))
    .map((line) => JSON.parse(line) as Line)
  const faults = new Map<number, MailFault>()
  const attempts: MailAttempt[] = []
  const pauses: MailRecord['pauses'] = []
  const lastOf = new Map<number, number>()
  for (const line of lines)
    if (line.actor === 'failpoints' || line.actor === 'mails') lastOf.set(line.start, timeOf(line))
  const open = new Map<string, MailAttempt>()

  for (const line of lines) {
    const at = timeOf(line)
    if (line.actor === 'mail server' && line.what === 'begins')
      faults.set(line.id, { fault: line.fault, from: at, ...(line.final ? { final: `(mail ${line.id})` } : {}) })
    if (line.actor === 'mail server' && line.what === 'ends') faults.get(line.id)!.to = at
    if (line.actor === 'nemesis' && line.what === 'begins' && line.fault.kind === 'pause')
      pauses.push({ from: at, to: at + line.fault.ms })
    if (line.actor !== 'mails') continue
    const key = `${line.start} ${line.messageId}`
    if (line.what === 'attempt') {
      const attempt = { messageId: line.messageId, from: at }
      open.set(key, attempt)
      attempts.push(attempt)
    } else {
      const storedIt = lastOf.get(line.start)! > at + STORED_WITHIN_MS
      Object.assign(open.get(key)!, { taken: line.what === 'taken', response: line.response, storedIt })
    }
  }
  return { faults: [...faults.values()], attempts, pauses }
}

const timeOf = ({ at }: Line) => Date.parse(at)

/** Whether an error of the store is a refusal for good by the mail server. */
export const isFinal = ({ faults }: MailRecord, error: string) =>
  faults.some(({ final }) => final !== undefined && error.includes(final))
