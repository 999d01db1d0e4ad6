import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Keys } from './secrets.ts'

/** A token of `randomToken`, the time in seconds since 1970 (hex), and 128 bits of an HMAC over both. */
const FORM = /^([\w-]{43})([0-9a-f]{8})([\w-]{22})$/
const BARE = /^[\w-]{43}$/

function signatureOf(signed: string, secret: string) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'nifty sent token', 32))
  return createHmac('sha256', key).update(signed).digest().subarray(0, 16)
}

/** Adds the time at which a mail leaves to the token of its link, so that the link's life begins then. URL-safe. */
export function withSendingTime(token: string, sentAt: Date, [key]: Keys): string {
  const signed =
    token +
    Math.floor(sentAt.getTime() / 1000)
      .toString(16)
      .padStart(8, '0')
  return signed + signatureOf(signed, key).toString('base64url')
}

/**
 * The parts of such a text; undefined for any other one. A token without a time is of a mail that a release before this
 * form sent: `sentAt` is null, and the life of its link began with its request.
 */
export function readSentToken(text: string, keys: Keys): { token: string; sentAt: Date | null } | undefined {
  if (BARE.test(text)) return { token: text, sentAt: null }
  const [, token, seconds, signature] = FORM.exec(text) ?? []
  if (!token || !seconds || !signature) return undefined
  const given = Buffer.from(signature, 'base64url')
  if (!keys.some((key) => timingSafeEqual(given, signatureOf(token + seconds, key)))) return undefined
  return { token, sentAt: new Date(Number.parseInt(seconds, 16) * 1000) }
}
