import { rateLimit } from '@nifty/service-kit/env'

/** Uses per account and hour. */
export type Limits = { mailsPerHour: number; avatarsPerHour: number }

export const limitsOf = ({ rateLimitFactor }: { rateLimitFactor: number }): Limits => ({
  mailsPerHour: rateLimit(3, rateLimitFactor),
  avatarsPerHour: rateLimit(10, rateLimitFactor),
})
