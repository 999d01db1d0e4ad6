import { anyOf } from '@nifty/service-kit/database/database'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database, Row } from '../db.ts'
import type { Delivery, KnownDelivery } from './delivery.ts'

export const findDelivery = (db: Kysely<Database>, lineId: string) =>
  db.selectFrom('delivery').selectAll().where('lineId', '=', lineId).executeTakeFirst()

type DeliveryPage = { state: Row<'delivery'>['state']; after: string | null; limit: number }

/** The newest first, from after the delivery `after` on. */
export function deliveriesOfState(db: Kysely<Database>, { state, after, limit }: DeliveryPage) {
  const listed = db.selectFrom('delivery').selectAll().where('state', '=', state)
  const page =
    after === null
      ? listed
      : listed.where(
          sql<boolean>`(created_at, line_id) < (select created_at, line_id from delivery where line_id = ${after})`,
        )
  return page.orderBy('createdAt', 'desc').orderBy('lineId', 'desc').limit(limit).execute()
}

/** How many deliveries a transaction has. */
export async function countDeliveriesOf(db: Kysely<Database>, transactionId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from delivery where transaction_id = ${transactionId}`.execute(db)
  return rows[0]!.count
}

export const lockDelivery = (trx: Transaction<Database>, lineId: string) =>
  trx.selectFrom('delivery').selectAll().where('lineId', '=', lineId).forUpdate().executeTakeFirst()

/** Locks several deliveries, by their ids. */
export const lockDeliveries = async (trx: Transaction<Database>, lineIds: string[]) =>
  lineIds.length > 0 &&
  trx
    .selectFrom('delivery')
    .select('lineId')
    .where('lineId', '=', anyOf(lineIds))
    .orderBy('lineId')
    .forUpdate()
    .execute()

/** The deliveries of a transaction that have no outcome yet. */
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

/** Those of a transaction that have no outcome yet and are past their deadline. */
export const lockOverdueOf = (trx: Transaction<Database>, transactionId: string) =>
  trx
    .selectFrom('delivery')
    .selectAll()
    .where('transactionId', '=', transactionId)
    .where('state', '=', 'signed')
    .where('deliverBy', '<=', sql<Date>`now()`)
    .orderBy('lineId')
    .forUpdate()
    .$castTo<KnownDelivery>()
    .execute()

/** The given deliveries that are still waiting and before their deadline, locked in the order of their ids. */
export const lockSignable = (trx: Transaction<Database>, lineIds: string[]) =>
  trx
    .selectFrom('delivery')
    .selectAll()
    .where('lineId', '=', anyOf(lineIds))
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
  custodyAccount: null,
  deliverBy: null,
  transactionId: null,
  reason: null,
  note: null,
  txHash: null,
  block: null,
  paidAt: null,
} as const

/** Moves the deadline to now: the nonce of a signed delivery is cancelled, and it is not signed again. */
export const endDeadline = (trx: Transaction<Database>, lineId: string) =>
  trx.updateTable('delivery').set({ deliverBy: sql`least(deliver_by, now())` }).where('lineId', '=', lineId).execute()

export const isOverdue = async (db: Kysely<Database>, lineId: string): Promise<boolean> => {
  const overdue = db.selectFrom('delivery').select('lineId').where('lineId', '=', lineId)
  return (await overdue.where('deliverBy', '<=', sql<Date>`now()`).executeTakeFirst()) !== undefined
}

export const updateDelivery = (trx: Transaction<Database>, lineId: string, changes: Partial<Delivery>) =>
  trx.updateTable('delivery').set(changes).where('lineId', '=', lineId).execute()

/**
 * Deliveries to sign now, those that waited longest first: one line per token, and none for a token with a signed
 * delivery.
 */
export async function dueDeliveries(db: Kysely<Database>, limit: number): Promise<KnownDelivery[]> {
  const { rows } = await sql<KnownDelivery>`
    select delivery.* from (
      select line_id from (
        select distinct on (d.token) d.line_id, d.next_attempt_at from delivery d
        where d.state = 'waiting' and d.next_attempt_at <= now() and (d.deliver_by is null or d.deliver_by > now())
          and (d.wallet is not null or d.custody_account is not null)
          and not exists (select from delivery other where other.token = d.token and other.state = 'signed')
        order by d.token, d.created_at) due
      order by next_attempt_at limit ${limit}) oldest
    join delivery using (line_id) order by created_at`.execute(db)
  return rows
}

export type UnsignedDelivery = { lineId: string; token: string; isOverdue: boolean }

/**
 * Unsigned deliveries that are due and are not signed before the chain has been read for them: past their deadline,
 * without the custody account of their buyer, or delivered by the chain when this database did not have them.
 */
export async function unsignedDeliveries(db: Kysely<Database>, limit: number): Promise<UnsignedDelivery[]> {
  const { rows } = await sql<UnsignedDelivery>`
    select line_id, token, coalesce(deliver_by <= now(), false) as is_overdue from delivery
    where state = 'waiting' and next_attempt_at <= now() and (deliver_by <= now() or wallet is null and custody_account is null
      or line_id in (select substr(line_key, 3, 32)::uuid from unexpected_delivery))
    order by next_attempt_at limit ${limit}`.execute(db)
  return rows
}

export const postponeDelivery = (db: Kysely<Database>, lineId: string, ms: number) =>
  db
    .updateTable('delivery')
    .set({ nextAttemptAt: sql`now() + make_interval(secs => ${ms / 1000})` })
    .where('lineId', '=', lineId)
    .where('state', '=', 'waiting')
    .execute()

/** How many deliveries to a wallet (lower case) the chain has reverted within a day. */
export const revertsTo = (wallet: string) => sql<number>`(
  select count(*) from delivery
  where kind = 'sale' and state = 'failed' and reason in ('reverted', 'refused') and wallet = ${wallet}
    and changed_at > now() - interval '1 day')`

/** The oldest waiting or signed delivery of a token. */
export const findOpenDelivery = (db: Kysely<Database>, token: string) =>
  db
    .selectFrom('delivery')
    .selectAll()
    .where('token', '=', token)
    .where('state', 'in', ['waiting', 'signed'])
    .orderBy('createdAt')
    .executeTakeFirst()

/** The card was charged for the line, or its hold lapsed. */
export const setPaid = (trx: Transaction<Database>, { lineId, at }: { lineId: string; at: string }) =>
  trx
    .updateTable('delivery')
    .set({ paidAt: new Date(at) })
    .where('lineId', '=', lineId)
    .where('paidAt', 'is', null)
    .execute()

/** A card's bank ends its hold after this time: a delivered line is captured or written off by then. */
const PAID_WITHIN_DAYS = 7

/**
 * The end of the waiting time after a token was bought into custody; undefined when none runs. It holds for the
 * recipient of a gift since then, too. `until` is null while it is not known, because the card is not charged yet.
 */
export async function findCustodyHold(
  db: Kysely<Database>,
  { token, holdHours }: { token: string; holdHours: number },
): Promise<{ until: Date | null } | undefined> {
  const { rows } = await sql<{ until: Date; isPaid: boolean; isOver: boolean }>`
    select until, until <= now() as is_over, paid_at is not null as is_paid from (
      select paid_at, coalesce(paid_at, changed_at + make_interval(days => ${PAID_WITHIN_DAYS}))
        + make_interval(secs => ${holdHours * 3_600}) as until
      from delivery
      where token = ${token} and kind = 'sale' and state = 'final' and custody_account is not null
      order by block desc limit 1) bought`.execute(db)
  const [hold] = rows
  if (!hold || hold.isOver) return undefined
  return { until: hold.isPaid ? hold.until : null }
}
