import { Secret, TOTP } from 'otpauth'

const PERIOD_S = 30
/** Steps before and after the present one whose codes are accepted, because clocks of phones differ. */
const WINDOW = 1

/** 160 random bits, base32. */
export const newSecret = () => new Secret({ size: 20 }).base32

const totpOf = (secret: string, naming: { issuer?: string; label?: string } = {}) =>
  new TOTP({ ...naming, algorithm: 'SHA1', digits: 6, period: PERIOD_S, secret })

/**
 * `otpauth://totp/…` for the QR code of an authenticator app, which shows both names beside the code. A colon ends the
 * issuer.
 */
export const uriOf = (secret: string, { storeName, username }: { storeName: string; username: string }) =>
  totpOf(secret, { issuer: storeName.replaceAll(':', ''), label: username }).toString()

/** The step that a code is of, if it is right at this time and newer than `lastStep`; else undefined. */
export function stepOf(secret: string, code: string, { nowMs, lastStep }: { nowMs: number; lastStep: number }) {
  // The library compares lengths in bytes, and throws for six characters outside ASCII.
  if (!/^[0-9]{6}$/.test(code)) return undefined
  const totp = totpOf(secret)
  const delta = totp.validate({ token: code, timestamp: nowMs, window: WINDOW })
  if (delta === null) return undefined
  const step = totp.counter({ timestamp: nowMs }) + delta
  return step > lastStep ? step : undefined
}
