import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { noDelivery } from '../deliveries/delivery.store.ts'
import type { Withdrawal } from './withdrawal.ts'

const withdrawals = (db: Kysely<Database>) =>
  db
    .selectFrom('delivery')
    .selectAll('delivery')
    .select((eb) =>
      eb
        .selectFrom('attempt')
        .select('hash')
        .whereRef('attempt.transactionId', '=', 'delivery.transactionId')
        .orderBy('number', 'desc')
        .limit(1)
        .as('attemptHash'),
    )
    .where('delivery.kind', '=', 'withdrawal')
    .$castTo<Withdrawal>()

export const listWithdrawals = (db: Kysely<Database>, userId: string, limit: number) =>
  withdrawals(db).where('buyerId', '=', userId).orderBy('createdAt', 'desc').limit(limit).execute()

export const listWithdrawalsSince = (db: Kysely<Database>, userId: string, since: Date) =>
  withdrawals(db).where('buyerId', '=', userId).where('createdAt', '>=', since).orderBy('createdAt').execute()

export const findWithdrawal = (db: Kysely<Database>, lineId: string) =>
  withdrawals(db).where('lineId', '=', lineId).executeTakeFirst()

export const addWithdrawal = (
  trx: Transaction<Database>,
  { lineId, token, userId, wallet }: { lineId: string; token: string; userId: string; wallet: string },
) =>
  trx
    .insertInto('delivery')
    .values({
      ...noDelivery,
      lineId,
      kind: 'withdrawal',
      state: 'waiting',
      token,
      fromId: userId,
      buyerId: userId,
      wallet,
    })
    .execute()

export const isListed = async (db: Kysely<Database>, token: string) =>
  (await db.selectFrom('listedToken').select('token').where('token', '=', token).executeTakeFirst()) !== undefined

export const setListed = (trx: Transaction<Database>, token: string) =>
  trx
    .insertInto('listedToken')
    .values({ token })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

export const setDelisted = (trx: Transaction<Database>, token: string) =>
  trx.deleteFrom('listedToken').where('token', '=', token).execute()
