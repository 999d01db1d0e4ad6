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

/** What people type around a code is ignored: spaces, hyphens, capital letters. */
export const normalizeCode = (typed: string) => typed.replace(/[\s-]/g, '').toLowerCase()

export const isRecoveryCode = (normalized: string) => normalized.length === LENGTH

/** A plain hash suffices for so many random bits. */
export const recoveryHash = (code: string) => sha256(normalizeCode(code))
