import { checkedAddress } from '@nifty/contracts/address'
import { anyOf } from '@nifty/service-kit/database/database'
import { type Insertable, type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'
import type { Mint } from './mint.ts'

export const findMint = (db: Kysely<Database>, id: string) =>
  db.selectFrom('mint').selectAll().where('id', '=', id).executeTakeFirst()

export const lockMint = (trx: Transaction<Database>, id: string) =>
  trx.selectFrom('mint').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const addMint = (trx: Transaction<Database>, mint: Insertable<Database['mint']>) =>
  trx.insertInto('mint').values(mint).execute()

/** Locks several mints, by their ids. */
export const lockMints = async (trx: Transaction<Database>, ids: string[]) =>
  ids.length > 0 && trx.selectFrom('mint').select('id').where('id', '=', anyOf(ids)).orderBy('id').forUpdate().execute()

export const findMintOfToken = (db: Kysely<Database>, contract: string, identifier: string) =>
  db
    .selectFrom('mint')
    .selectAll()
    .where('contract', '=', contract)
    .where('identifier', '=', identifier)
    .executeTakeFirst()

/** `token`: contract in lower case, a slash, the identifier. */
export function findMintOf(db: Kysely<Database>, token: string) {
  const [contract, identifier] = token.split('/') as [string, string]
  return findMintOfToken(db, checkedAddress(contract)!, identifier)
}

export const updateMint = (trx: Transaction<Database>, id: string, changes: Partial<Mint>) =>
  trx.updateTable('mint').set(changes).where('id', '=', id).execute()

/** Mints, each with the hash of its newest attempt. */
const withAttempt = (db: Kysely<Database>) =>
  db
    .selectFrom('mint')
    .selectAll('mint')
    .select((eb) =>
      eb
        .selectFrom('attempt')
        .select('hash')
        .whereRef('attempt.transactionId', '=', 'mint.transactionId')
        .orderBy('number', 'desc')
        .limit(1)
        .as('attemptHash'),
    )

export const findOwnMint = (db: Kysely<Database>, { id, creatorId }: { id: string; creatorId: string }) =>
  withAttempt(db).where('id', '=', id).where('creatorId', '=', creatorId).executeTakeFirst()

export const listOwnMints = (db: Kysely<Database>, creatorId: string, limit: number) =>
  withAttempt(db).where('creatorId', '=', creatorId).orderBy('createdAt', 'desc').orderBy('id').limit(limit).execute()

/** Mints that wait for a transaction or for its end, oldest first, each with the hash of its newest attempt. */
export const openMints = (db: Kysely<Database>, limit: number) =>
  withAttempt(db)
    .where(
      'id',
      'in',
      sql<string>`(
        select id from mint where state = 'accepted'
        union all
        select mint.id from chain_transaction open join mint on mint.transaction_id = open.id
        where open.state <> 'final' and mint.state = 'minting'
      )`,
    )
    .orderBy('createdAt')
    .orderBy('id')
    .limit(limit)
    .execute()

export const findMintByKey = (db: Kysely<Database>, creatorId: string, idempotencyKey: string) =>
  withAttempt(db).where('creatorId', '=', creatorId).where('idempotencyKey', '=', idempotencyKey).executeTakeFirst()

export const acceptedMints = (db: Kysely<Database>, limit: number) =>
  db
    .selectFrom('mint')
    .selectAll()
    .where('state', '=', 'accepted')
    .orderBy('createdAt')
    .orderBy('id')
    .limit(limit)
    .execute()

export const lockAcceptedMints = (trx: Transaction<Database>, ids: string[]) =>
  trx
    .selectFrom('mint')
    .select('id')
    .where('id', '=', anyOf(ids))
    .where('state', '=', 'accepted')
    .orderBy('id')
    .forUpdate()
    .execute()

/** The mints of a transaction that have no outcome yet. */
export const lockMintsOf = (trx: Transaction<Database>, transactionId: string) =>
  trx
    .selectFrom('mint')
    .selectAll()
    .where('transactionId', '=', transactionId)
    .where('state', '=', 'minting')
    .orderBy('id')
    .forUpdate()
    .execute()

export async function countRecentMints(db: Kysely<Database>, creatorId: string): Promise<number> {
  const { count } = await db
    .selectFrom('mint')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('creatorId', '=', creatorId)
    .where('createdAt', '>', sql<Date>`now() - interval '1 hour'`)
    .executeTakeFirstOrThrow()
  return Number(count)
}
