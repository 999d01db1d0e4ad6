import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'
import type { Delivery, KnownDelivery } from './delivery.ts'

export const lockDelivery = (trx: Transaction<Database>, lineId: string) =>
  trx.selectFrom('delivery').selectAll().where('lineId', '=', lineId).forUpdate().executeTakeFirst()

/** What a transaction still owes an outcome. */
export const lockDeliveriesOf = (trx: Transaction<Database>, transactionId: string) =>
  trx
    .selectFrom('delivery')
    .selectAll()
    .where('transactionId', '=', transactionId)
    .where('state', '=', 'signed')
    .orderBy('lineId')
    .forUpdate()
    .$castTo<KnownDelivery>()
    .execute()

/** Of these, the ones that may be signed now: not stopped meanwhile and not too late. Locked in a fixed order. */
export const lockSignable = (trx: Transaction<Database>, lineIds: string[]) =>
  trx
    .selectFrom('delivery')
    .selectAll()
    .where('lineId', 'in', lineIds)
    .where('state', '=', 'waiting')
    .where((eb) => eb.or([eb('deliverBy', 'is', null), eb('deliverBy', '>', sql<Date>`now()`)]))
    .orderBy('lineId')
    .forUpdate()
    .$castTo<KnownDelivery>()
    .execute()

export const noDelivery = {
  orderId: null,
  itemId: null,
  token: null,
  fromId: null,
  buyerId: null,
  wallet: null,
  deliverBy: null,
  transactionId: null,
  doubtedAtBlock: null,
  reason: null,
  note: null,
  txHash: null,
  block: null,
} as const

/** From now on the line is late. */
export const endDeadline = (trx: Transaction<Database>, lineId: string) =>
  trx.updateTable('delivery').set({ deliverBy: sql`least(deliver_by, now())` }).where('lineId', '=', lineId).execute()

export const changeDelivery = (trx: Transaction<Database>, lineId: string, changes: Partial<Delivery>) =>
  trx.updateTable('delivery').set(changes).where('lineId', '=', lineId).execute()

/**
 * What may be tried now, oldest first: one line per token, and none for a token that is already on its way.
 * The chain would refuse the second one; here it only waits.
 */
export async function dueDeliveries(db: Kysely<Database>, limit: number): Promise<KnownDelivery[]> {
  const ids = await sql<{ lineId: string }>`
    select line_id from (
      select distinct on (d.token) d.line_id, d.created_at from delivery d
      where d.state = 'waiting' and d.next_try_at <= now()
        and not exists (select from delivery other where other.token = d.token and other.state = 'signed')
      order by d.token, d.created_at) due
    order by created_at limit ${limit}`.execute(db)
  if (ids.rows.length === 0) return []
  return db
    .selectFrom('delivery')
    .selectAll()
    .where(
      'lineId',
      'in',
      ids.rows.map(({ lineId }) => lineId),
    )
    .orderBy('createdAt')
    .$castTo<KnownDelivery>()
    .execute()
}

/** Lines that were never signed and whose time is over. */
export const lockLate = (trx: Transaction<Database>) =>
  trx
    .selectFrom('delivery')
    .selectAll()
    .where('state', '=', 'waiting')
    .where('deliverBy', '<=', sql<Date>`now()`)
    .forUpdate()
    .skipLocked()
    .$castTo<KnownDelivery>()
    .execute()

export async function deadlinePassed(db: Kysely<Database>, transactionId: string): Promise<boolean> {
  const late = await db
    .selectFrom('delivery')
    .select('lineId')
    .where('transactionId', '=', transactionId)
    .where('state', '=', 'signed')
    .where('deliverBy', '<=', sql<Date>`now()`)
    .executeTakeFirst()
  return late !== undefined
}

/** A delivery of a token that is not over. */
export const findOpenDelivery = (db: Kysely<Database>, token: string) =>
  db
    .selectFrom('delivery')
    .selectAll()
    .where('token', '=', token)
    .where('state', 'in', ['waiting', 'signed'])
    .orderBy('createdAt')
    .executeTakeFirst()

export async function countWaiting(db: Kysely<Database>): Promise<number> {
  const { count } = await db
    .selectFrom('delivery')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  return Number(count)
}
