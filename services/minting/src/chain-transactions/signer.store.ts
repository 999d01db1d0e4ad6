import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database, Row } from '../db.ts'

/** A signing key with its next nonce. */
export type SignerRow = Row<'signer'>

export const findSigner = (db: Kysely<Database>, address: string) =>
  db.selectFrom('signer').selectAll().where('address', '=', address).executeTakeFirst()

export const addSigner = (db: Kysely<Database>, address: string, nextNonce: number) =>
  db
    .insertInto('signer')
    .values({ address, nextNonce, haltedReason: null, haltedAt: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

/** Held from the choice of a nonce until the signed bytes are stored. */
export const lockSigner = (trx: Transaction<Database>, address: string) =>
  trx.selectFrom('signer').selectAll().where('address', '=', address).forUpdate().executeTakeFirst()

export const setNextNonce = (trx: Transaction<Database>, address: string, nextNonce: number) =>
  trx.updateTable('signer').set({ nextNonce }).where('address', '=', address).execute()

/** Returns false when the signer was halted before. */
export async function haltSigner(db: Kysely<Database>, address: string, reason: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('signer')
    .set({ haltedReason: reason, haltedAt: sql`now()` })
    .where('address', '=', address)
    .where('haltedReason', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export const resumeSigner = (trx: Transaction<Database>, address: string, nextNonce: number) =>
  trx
    .updateTable('signer')
    .set({ nextNonce, haltedReason: null, haltedAt: null })
    .where('address', '=', address)
    .execute()
