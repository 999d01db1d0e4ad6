import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits, URL-safe. */
export const randomToken = () => randomBytes(32).toString('base64url')

/** SHA-256, hex. Sufficient to store tokens of `randomToken`; passwords need a slow hash. */
export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
