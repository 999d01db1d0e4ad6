import { tokenOf } from '@nifty/events/shapes'
import { invalid } from '@nifty/service-kit/errors'
import type { Item } from '../db.ts'

const LARGEST = 2n ** 256n - 1n

export type TokenPath = { contract: string; identifier: string }

/** The token that an address names. What cannot be one is a 400; the rest is looked up as text, so no digit is lost. */
export function readTokenPath({ contract, identifier }: TokenPath): string {
  if (!/^0x[0-9a-f]{40}$/i.test(contract)) throw invalid('invalid_contract', 'Invalid contract address')
  if (!/^\d{1,100}$/.test(identifier)) throw invalid('invalid_identifier', 'Invalid token id')
  return tokenOf(contract, identifier)
}

/** A checksum that is wrong means that a character was mistyped; lower and upper case carry none. */
export function isAddressOf({ contract }: Pick<Item, 'contract'>, written: string): boolean {
  const digits = written.slice(2)
  return written === contract || written === `0x${digits.toLowerCase()}` || written === `0x${digits.toUpperCase()}`
}

/** Numbers that no token can have, in the one way to write them. */
export const isTokenId = (identifier: string) =>
  BigInt(identifier) <= LARGEST && BigInt(identifier).toString() === identifier
