import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../db.ts'

export const findPermit = (db: Kysely<Database>, token: string) =>
  db.selectFrom('permit').selectAll().where('token', '=', token).executeTakeFirst()

/** Replaces an older signature. */
export const savePermit = (
  db: Kysely<Database>,
  permit: { token: string; wallet: string; nonce: string; deadline: Date; signature: string },
) =>
  db
    .insertInto('permit')
    .values(permit)
    .onConflict((conflict) => conflict.column('token').doUpdateSet(permit))
    .execute()

export const removePermit = (trx: Transaction<Database>, token: string) =>
  trx.deleteFrom('permit').where('token', '=', token).execute()
