import { rateLimit } from '@nifty/service-kit/base/env'

/**
 * The part of a queue that requests of one site (`siteOf`) may wait in, so that a flood from it keeps no other out.
 */
export const MAX_WAITING_PER_SITE = 20

export type Limits = {
  /** From this many consecutive failed log-ins on, attempts are delayed. */
  failuresBeforeDelay: number
  /** Mails of a kind per account and hour. */
  mailsPerHour: number
  /** Sessions that an account opens per hour by log-ins, since its newest password. */
  sessionsPerHour: number
  /** Changes of the password per account and hour, since its newest reset: each is mailed. */
  passwordsPerHour: number
  /** Avatars per account and hour. */
  avatarsPerHour: number
  /** Covers per account and hour. */
  coversPerHour: number
  /** Applications to sell per account and day: each is mailed. */
  applicationsPerDay: number
}

export const limitsOf = (factor: number): Limits => ({
  failuresBeforeDelay: rateLimit(5, factor),
  mailsPerHour: rateLimit(3, factor),
  sessionsPerHour: rateLimit(300, factor),
  passwordsPerHour: rateLimit(30, factor),
  avatarsPerHour: rateLimit(10, factor),
  coversPerHour: rateLimit(10, factor),
  applicationsPerDay: rateLimit(3, factor),
})
