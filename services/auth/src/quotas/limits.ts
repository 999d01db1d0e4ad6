import { rateLimit } from '@nifty/service-kit/env'

export type Limits = {
  /** From this many consecutive failed log-ins on, attempts are delayed. */
  failuresBeforeDelay: number
  /** Mails of a kind per account and hour. */
  mailsPerHour: number
  /** Avatars per account and hour. */
  avatarsPerHour: number
}

export const limitsOf = (factor: number): Limits => ({
  failuresBeforeDelay: rateLimit(5, factor),
  mailsPerHour: rateLimit(3, factor),
  avatarsPerHour: rateLimit(10, factor),
})
