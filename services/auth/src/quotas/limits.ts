/** Uses per account and hour. */
export type Limits = { mailsPerHour: number; avatarsPerHour: number }

export const limitsOf = ({ rateLimitFactor }: { rateLimitFactor: number }): Limits => ({
  mailsPerHour: Math.ceil(3 * rateLimitFactor),
  avatarsPerHour: Math.ceil(10 * rateLimitFactor),
})
