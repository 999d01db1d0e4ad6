import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits, fit for a link. */
export const newSecret = () => randomBytes(32).toString('base64url')

/** SHA-256, hex. */
export const digest = (text: string) => createHash('sha256').update(text).digest('hex')
