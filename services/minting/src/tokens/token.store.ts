import type { Kysely, Selectable, Transaction } from 'kysely'
import type { Database } from '../db.ts'

export type Token = Selectable<Database['token']>

export const findToken = (db: Kysely<Database>, token: string) =>
  db.selectFrom('token').selectAll().where('token', '=', token).executeTakeFirst()

export const lockToken = (trx: Transaction<Database>, token: string) =>
  trx.selectFrom('token').selectAll().where('token', '=', token).forUpdate().executeTakeFirst()

export const lockTokensIn = (trx: Transaction<Database>, wallets: string[]) =>
  trx.selectFrom('token').selectAll().where('wallet', 'in', wallets).orderBy('token').forUpdate().execute()

export const addToken = (
  trx: Transaction<Database>,
  token: { token: string; contract: string; identifier: string; mintId: string | null },
) =>
  trx
    .insertInto('token')
    .values({
      ...token,
      wallet: null,
      custodyAccount: null,
      deliveredTo: null,
      ownerId: null,
      txHash: null,
      movedAt: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

export const changeToken = (trx: Transaction<Database>, token: string, changes: Partial<Token>) =>
  trx.updateTable('token').set(changes).where('token', '=', token).execute()
