import { rateLimit } from '@nifty/service-kit/base/env'

/**
 * The part of a queue that requests of one network (`networkOf`) may wait in, so that a flood from it keeps no other
 * out.
 */
export const MAX_WAITING_PER_NETWORK = 20

export type Limits = {
  /** From this many consecutive failed log-ins on, attempts are delayed. */
  failuresBeforeDelay: number
  /** Mails of a kind per account and hour. */
  mailsPerHour: number
  /** Sessions that an account opens per hour, by log-ins and changes of the password. */
  sessionsPerHour: number
  /** Avatars per account and hour. */
  avatarsPerHour: number
  /** Covers per account and hour. */
  coversPerHour: number
}

export const limitsOf = (factor: number): Limits => ({
  failuresBeforeDelay: rateLimit(5, factor),
  mailsPerHour: rateLimit(3, factor),
  sessionsPerHour: rateLimit(300, factor),
  avatarsPerHour: rateLimit(10, factor),
  coversPerHour: rateLimit(10, factor),
})
