import { forbidden } from '@nifty/service-kit/base/errors'
import type { Kysely } from 'kysely'
import type { Database, Item } from '../db.ts'
import { findItemOfToken, hasContract } from './item.store.ts'
import { itemNotFound } from './item.ts'
import { isAddressOf, isTokenId, type TokenPath } from './token-path.ts'

/** Throws 404 for an unknown token of the store's contracts, 403 for a token of another contract. */
export async function findItemOfPath(db: Kysely<Database>, token: string, path: TokenPath): Promise<Item> {
  const item = isTokenId(path.identifier) ? await findItemOfToken(db, token) : undefined
  if (item && isAddressOf(item, path.contract)) return item
  if (await hasContract(db, path.contract.toLowerCase())) throw itemNotFound()
  throw forbidden('foreign_contract', 'Only works of this store can be sold here')
}
