import { anyOf } from '@nifty/service-kit/database'
import { currentTraceparent } from '@nifty/service-kit/traces/trace'
import { sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'

/** Serialises the purchases of one buyer until the transaction ends, so that the counts below are exact. */
export async function lockBuyer(trx: Transaction<Database>, buyerId: string) {
  await sql`select pg_advisory_xact_lock(hashtextextended(${buyerId}, 4713))`.execute(trx)
}

/** Ids of the buyer's orders in progress with one of these items. */
export async function activeOrders(trx: Transaction<Database>, buyerId: string, itemIds: string[]) {
  const rows = await trx
    .selectFrom('line')
    .select('orderId')
    .distinct()
    .where('buyerId', '=', buyerId)
    .where('itemId', '=', anyOf(itemIds))
    .where('state', 'in', ['placed', 'awaiting_payment', 'authorised', 'delivering'])
    .execute()
  return rows.map(({ orderId }) => orderId)
}

/** Counts the buyer's unpaid and recent orders. Orders that catalog rejected do not count. */
export async function countStarts(trx: Transaction<Database>, buyerId: string, itemIds: string[]) {
  const { rows } = await sql<{ open: number; firstEndsInS: number; lastHour: number; hourEndsInS: number }>`
    select
      count(*) filter (where o.open)::int as open,
      coalesce(extract(epoch from min(o.expires_at) filter (where o.open) - now()), 0)::float as first_ends_in_s,
      count(*) filter (where o.created_at > now() - interval '1 hour')::int as last_hour,
      coalesce(extract(epoch from min(o.created_at) filter (where o.created_at > now() - interval '1 hour')
        + interval '1 hour' - now()), 0)::float as hour_ends_in_s
    from (
      select o.*, l.open from orders o
      cross join lateral (
        select bool_or(state in ('placed', 'awaiting_payment')) as open,
          bool_or(seller_id is not null or state = 'placed') as counts
        from line where order_id = o.id) l
      where o.buyer_id = ${buyerId} and o.created_at > now() - interval '2 days' and l.counts) o`.execute(trx)
  const perItem = await trx
    .selectFrom('line')
    .innerJoin('orders', 'orders.id', 'line.orderId')
    .select(({ fn }) => ['itemId', fn.countAll<number>().as('starts')])
    .where('line.buyerId', '=', buyerId)
    .where('itemId', '=', anyOf(itemIds))
    .where('sellerId', 'is not', null)
    .where('createdAt', '>', sql<Date>`now() - interval '1 day'`)
    .groupBy('itemId')
    .execute()
  return { ...rows[0]!, mostPerItem: Math.max(0, ...perItem.map(({ starts }) => starts)) }
}

type NewOrder = {
  id: string
  buyerId: string
  /** Null: into custody. */
  wallet: string | null
  termsVersion: string
  commissionBps: number
  lines: { id: string; itemId: string; priceCents: number }[]
  /** Lifetime of the Checkout Session; the processor's minimum is 30 minutes. */
  openForMs: number
  /** Time until the worker cancels an order without a session. */
  startWithinMs: number
}

export async function insertOrder(trx: Transaction<Database>, order: NewOrder) {
  const { id, buyerId, wallet, termsVersion, commissionBps, lines, openForMs, startWithinMs } = order
  const inMs = (ms: number) => sql<Date>`now() + make_interval(secs => ${ms / 1000})`
  await trx
    .insertInto('orders')
    .values({
      id,
      buyerId,
      wallet,
      termsVersion,
      commissionBps,
      totalCents: lines.reduce((sum, { priceCents }) => sum + priceCents, 0),
      expiresAt: sql<Date>`date_trunc('second', ${inMs(openForMs)})`,
      nextRunAt: inMs(startWithinMs),
      traceparent: currentTraceparent(),
    })
    .execute()
  await trx
    .insertInto('line')
    .values(lines.map((line, position) => ({ ...line, orderId: id, buyerId, position })))
    .execute()
}
