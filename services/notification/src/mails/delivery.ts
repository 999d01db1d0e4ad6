/** Why a mail is not sent any more; null while it is retried. */
export type Failure = 'refused' | 'attempts' | 'expired'

/**
 * Seconds before each further attempt. The fifth and sixth attempt follow 5 and 10 minutes after the first: mail
 * servers that refuse unknown senders at first (greylisting) accept them then. From an hour on hourly, half a day in
 * all.
 */
const DELAYS_S = [5, 30, 120, 160, 310, 600, 900, 1_800]
const LONGEST_DELAY_S = 3_600

/** The later ones of mails that failed together are spread over a fifth of the delay. */
const JITTER = 0.2

export const MAX_ATTEMPTS = 20

/** Seconds before the next attempt after `attempts` ones. `random` in [0, 1) lengthens it. */
export const retryDelay = (attempts: number, random: number): number =>
  (DELAYS_S[attempts - 1] ?? LONGEST_DELAY_S) * (1 + random * JITTER)

/** Fields of nodemailer's errors: `command` is the SMTP command that failed, `API` before any was sent. */
type SmtpError = { code?: string; command?: string; response?: string; responseCode?: number; message?: string }

/** Subject of an enhanced status code in a response, and its detail (RFC 3463): `1` and `8` of `550 5.1.8 …`. */
const ENHANCED_CODE = /^\d{3}[ -]5\.(\d{1,3})\.(\d{1,3})\b/

/** About the sender's address. */
const SENDER_CODES = ['1.7', '1.8']

/**
 * Whether the mail server refuses the recipient for good: a 5xx response to RCPT or DATA (RFC 5321 4.2.1) whose
 * enhanced code, if it has one, is about the recipient's address or mailbox (5.1.x, 5.2.x), or an address that cannot
 * be put into an envelope. Other codes, such as a denied relay or a quota, and responses to other commands are about us
 * or the server, and an operator mends those.
 */
export function isRefusal(error: unknown): boolean {
  const { code, command, response = '', responseCode = 0 } = error as SmtpError
  if (code === 'EENVELOPE' && command === 'API') return true
  if (responseCode < 500 || responseCode > 599 || (command !== 'RCPT TO' && command !== 'DATA')) return false
  const [, subject, detail] = ENHANCED_CODE.exec(response) ?? []
  if (subject === undefined) return true
  return (subject === '1' || subject === '2') && !SENDER_CODES.includes(`${subject}.${detail}`)
}

/** Code, command and response of a failed attempt, for log and operators. Addresses in the response are left out. */
export function describeFailure(error: unknown): string {
  const { code, command, response, message = String(error) } = error as SmtpError
  const text = response === undefined ? message : [code, command, response].filter(Boolean).join(' ')
  return text.replaceAll(/<?[^\s<>]+@[^\s<>]+>?/g, '[address]').slice(0, 500)
}
