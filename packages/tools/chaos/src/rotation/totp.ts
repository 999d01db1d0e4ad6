import { createHmac } from 'node:crypto'

const PERIOD_MS = 30_000
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The code of an authenticator app now (RFC 6238, SHA-1, six digits). `secret` is base32. */
export function totp(secret: string): string {
  const bits = [...secret].map((letter) => LETTERS.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const key = Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / PERIOD_MS)))
  const digest = createHmac('sha1', key).update(counter).digest()
  const code = digest.readUInt32BE(digest.at(-1)! & 15) & 0x7fffffff
  return String(code % 1_000_000).padStart(6, '0')
}
