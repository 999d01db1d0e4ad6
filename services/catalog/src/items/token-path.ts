import { tokenOf } from '@nifty/events/shapes'
import { forbidden, invalid } from '@nifty/service-kit/base/errors'
import type { Kysely } from 'kysely'
import type { Database, Item } from '../db.ts'
import { findItemOfToken, hasContract } from './item.store.ts'
import { itemNotFound } from './item.ts'

const MAX_TOKEN_ID = 2n ** 256n - 1n

export type TokenPath = { contract: string; identifier: string }

/** The token of a path. The identifier stays text, so that no digit is lost. Throws 400 for a malformed path. */
export function readTokenPath({ contract, identifier }: TokenPath): string {
  if (!/^0x[0-9a-f]{40}$/i.test(contract)) throw invalid('invalid_contract', 'Invalid contract address')
  if (!/^\d{1,100}$/.test(identifier)) throw invalid('invalid_identifier', 'Invalid token id')
  return tokenOf(contract, identifier)
}

/** An address with a wrong checksum (EIP-55) was mistyped; all lower and all upper case carry no checksum. */
export function isAddressOf({ contract }: Pick<Item, 'contract'>, written: string): boolean {
  const digits = written.slice(2)
  return written === contract || written === `0x${digits.toLowerCase()}` || written === `0x${digits.toUpperCase()}`
}

/** A uint256 without leading zeros. */
export const isTokenId = (identifier: string) =>
  BigInt(identifier) <= MAX_TOKEN_ID && BigInt(identifier).toString() === identifier

/** Throws 404 for an unknown token of the store's contracts, 403 for a token of another contract. */
export async function findItemOfPath(db: Kysely<Database>, token: string, path: TokenPath): Promise<Item> {
  const item = isTokenId(path.identifier) ? await findItemOfToken(db, token) : undefined
  if (item && isAddressOf(item, path.contract)) return item
  if (await hasContract(db, path.contract.toLowerCase())) throw itemNotFound()
  throw forbidden('foreign_contract', 'Only works of this store can be sold here')
}
