import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database, Row } from '../db.ts'

/** A signing key with its next nonce. */
export type SignerRow = Row<'signer'>

/** All signers, also those whose key is not configured, in a fixed order. */
export const listSigners = (db: Kysely<Database>) => db.selectFrom('signer').selectAll().orderBy('address').execute()

/** Of a row of `signer`: its transactions have to be followed. A retired one's until its last transaction is final. */
export const isFollowed = sql<boolean>`(signer.state <> 'retired' or exists (
  select from chain_transaction sent where sent.signer = signer.address and sent.state <> 'final'))`

export const followedSigners = (db: Kysely<Database>) =>
  db.selectFrom('signer').selectAll().where(isFollowed).orderBy('address').execute()

export const addSigner = (db: Kysely<Database>, address: string, nextNonce: number) =>
  db
    .insertInto('signer')
    .values({ address, nextNonce, roleBlock: null, retiredBlock: null, haltedReason: null, haltedAt: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

/**
 * Held from the choice of a nonce until the signed bytes are stored.
 *
 * The sequence of locks in minting, without which transactions wait for each other in a circle: signers by address; the
 * cursor of the index; a chain transaction; mints, then deliveries, each by id; a token.
 */
export const lockSigner = (trx: Transaction<Database>, address: string) =>
  trx.selectFrom('signer').selectAll().where('address', '=', address).forUpdate().executeTakeFirst()

/** All rows, in a fixed order. */
export const lockSigners = (trx: Transaction<Database>) =>
  trx.selectFrom('signer').selectAll().orderBy('address').forUpdate().execute()

/** Takes a nonce. `roleBlock` is a block in which the signer has its roles. */
export const takeNonce = (trx: Transaction<Database>, { address, nextNonce }: SignerRow, roleBlock: number) =>
  trx
    .updateTable('signer')
    .set({ nextNonce: nextNonce + 1, roleBlock: sql`greatest(role_block, ${roleBlock})` })
    .where('address', '=', address)
    .execute()

export const setSignerState = (trx: Transaction<Database>, address: string, state: 'active' | 'draining') =>
  trx.updateTable('signer').set({ state }).where('address', '=', address).execute()

/** Ends a halt too: a retired signer signs nothing. Returns false when it was retired before. */
export async function retireSigner(db: Kysely<Database>, address: string, retiredBlock: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('signer')
    .set({ state: 'retired', retiredBlock, haltedReason: null, haltedAt: null })
    .where('address', '=', address)
    .where('state', '<>', 'retired')
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Returns false when the signer was halted before, or is retired. */
export async function setHalted(db: Kysely<Database>, address: string, reason: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('signer')
    .set({ haltedReason: reason, haltedAt: sql`now()` })
    .where('address', '=', address)
    .where('state', '<>', 'retired')
    .where('haltedReason', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export async function haltAllSigners(trx: Transaction<Database>, reason: string) {
  for (const { address } of await listSigners(trx)) await setHalted(trx, address, reason)
}

export const resumeSigner = (trx: Transaction<Database>, address: string, nextNonce: number) =>
  trx
    .updateTable('signer')
    .set({ nextNonce, haltedReason: null, haltedAt: null })
    .where('address', '=', address)
    .execute()
