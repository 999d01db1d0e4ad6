import { randomBytes } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

const token = (length: number) => Array.from(randomBytes(length), (byte) => alphabet[byte % 62]).join('')

/** A new id in Stripe's format, e.g. `pi_3…` or `cs_test_a1…`. */
export const newId = (prefix: string, length = 24) => `${prefix}_${token(length)}`
