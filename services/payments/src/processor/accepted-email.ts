import { parseEmail } from '@nifty/api/email-address'

/**
 * Whether the processor accepts an address: it refuses the whole call for one that it takes for malformed, such as one
 * of a top level of two parts.
 */
export const isAcceptedEmail = (email: string): boolean => parseEmail(email) === email && /\.[a-z]{2,}$/i.test(email)
