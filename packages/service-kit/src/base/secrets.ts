import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

/** 256 random bits, URL-safe. */
export const randomToken = () => randomBytes(32).toString('base64url')

/** SHA-256, hex. Sufficient to store tokens of `randomToken`; passwords need a slow hash. */
export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** Values of one secret. The first one encrypts and signs; what a former one encrypted or signed is accepted too. */
export type Keys = readonly [string, ...string[]]

/** Of a setting with one value or several, separated by commas. */
export const keysOf = (setting: string) => setting.split(',').map((key) => key.trim()) as unknown as Keys

const NONCE_BYTES = 12
const TAG_BYTES = 16
const derived = (key: string, purpose: string, bytes: number) =>
  Buffer.from(hkdfSync('sha256', key, '', purpose, bytes))

/** AES-256-GCM, base64url. Each call returns another text. */
function encrypt(text: string, key: string, owner: string) {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', derived(key, 'nifty seal', 32), nonce).setAAD(Buffer.from(owner))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64url')
}

function decrypt(sealed: string, key: string, owner: string) {
  const bytes = Buffer.from(sealed, 'base64url')
  const options = { authTagLength: TAG_BYTES }
  const nonce = bytes.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', derived(key, 'nifty seal', 32), nonce, options)
  decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(-TAG_BYTES))
  return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
}

/** Encrypts a short text that is on its way to another holder of the keys, such as the token of a mail. */
export const seal = (text: string, [key]: Keys) => encrypt(text, key, '')

/** The text that `seal` got. Throws for other keys and for a changed text. */
export function unseal(sealed: string, [key, ...former]: Keys): string {
  try {
    return decrypt(sealed, key, '')
  } catch (error) {
    const [next, ...others] = former
    if (next === undefined) throw error
    return unseal(sealed, [next, ...others])
  }
}

/** The prefix of texts that `sealStored` encrypts with these keys: an id that is derived from the first one. */
export const storedPrefix = ([key]: Keys) => `${derived(key, 'nifty key id', 4).toString('hex')}.`

/**
 * Encrypts a short text that is stored. `owner` names its row and is authenticated with it (AAD): a copy in another row
 * is refused, so write access to the database does not give one account the secret of another.
 */
export const sealStored = (text: string, keys: Keys, owner: string) =>
  storedPrefix(keys) + encrypt(text, keys[0], owner)

/**
 * The text that `sealStored` got. Throws for other keys, another owner and a changed text. One without the prefix is
 * of a release that named no owner; `resealStored` replaces it.
 */
export function unsealStored(stored: string, keys: Keys, owner: string): string {
  if (!stored.includes('.')) return unseal(stored, keys)
  const key = keys.find((each) => stored.startsWith(storedPrefix([each])))
  if (key === undefined) throw new Error('no key of this text is set')
  return decrypt(stored.slice(storedPrefix([key]).length), key, owner)
}
