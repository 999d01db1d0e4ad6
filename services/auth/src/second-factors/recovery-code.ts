import { randomInt } from 'node:crypto'
import { sha256 } from '@nifty/service-kit/base/secrets'

export const RECOVERY_CODES = 10
/** Without characters that are mistaken for each other. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const LENGTH = 24

/** 24 characters in four groups: 118 random bits. */
export function newRecoveryCode(): string {
  const characters = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return characters.match(/.{6}/g)!.join('-')
}

/**
 * A code as it was issued. What people type around it is ignored: spaces, dashes, capital letters; full-width letters
 * and the digits of other scripts, which some keyboards have, are those of ASCII.
 */
export const normalizeCode = (typed: string) =>
  typed
    .normalize('NFKC')
    .replace(/[\s\p{Pd}\u2212]/gu, '')
    .replace(/\p{Nd}/gu, asciiDigit)
    .toLowerCase()

/** The digits of a script follow each other, from zero on. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0)!
  let value = 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++
  return String(value)
}

export const isRecoveryCode = (normalized: string) => normalized.length === LENGTH

/** A plain hash suffices for so many random bits. */
export const recoveryHash = (code: string) => sha256(normalizeCode(code))
