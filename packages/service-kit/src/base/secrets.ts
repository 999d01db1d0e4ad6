import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

/** 256 random bits, URL-safe. */
export const randomToken = () => randomBytes(32).toString('base64url')

/** SHA-256, hex. Sufficient to store tokens of `randomToken`; passwords need a slow hash. */
export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const NONCE_BYTES = 12
const TAG_BYTES = 16
const keyOf = (secret: string) => Buffer.from(hkdfSync('sha256', secret, '', 'nifty seal', 32))

/** Encrypts a short text for holders of `secret` (AES-256-GCM, base64url). Each call returns another text. */
export function seal(text: string, secret: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret), nonce)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64url')
}

/** The text that `seal` got. Throws for another secret and for a changed text. */
export function unseal(sealed: string, secret: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret), bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
}
