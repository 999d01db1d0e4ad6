import type { OfferDays } from '@nifty/api/offer-days'
import { currentTraceparent } from '@nifty/service-kit/base/trace'
import { anyOf } from '@nifty/service-kit/database/database'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database, Order } from '../db.ts'
import { DECLINED } from '../webhooks/webhook.ts'
import type { Gift } from './gift.ts'

/** Serialises the purchases of one buyer until the transaction ends, so that the counts below are exact. */
export async function lockBuyer(trx: Transaction<Database>, buyerId: string) {
  await sql`select pg_advisory_xact_lock(hashtextextended(${buyerId}, 4713))`.execute(trx)
}

/** What a buyer has started, without offers and bids. Orders that catalog rejected count as attempts only. */
export type Starts = {
  /** Ids of orders in progress with one of the items. */
  active: string[]
  /** Number of unpaid orders. */
  open: number
  firstEndsInS: number
  lastHour: number
  attempts: number
  hourEndsInS: number
  /** Starts within a day of that item which has most. */
  mostPerItem: number
  /** A bank decided a dispute for the buyer, and no operator allowed further purchases. */
  hasLostDispute: boolean
  /** An operator stopped new sales. */
  isPaused: boolean
  /** Number of works that wait for their payment. */
  reserved: number
  /** How often the pages of the orders of a day declined a card. */
  declines: number
  /** Number of gifts within a day that were not released. */
  gifts: number
}

/** Ids of a buyer's orders in progress with one of the items. Offers and bids are none until they are decided. */
const activeOrders = (buyerId: string, itemIds: string[]) => sql`
  select distinct order_id from line where buyer_id = ${buyerId} and item_id = ${anyOf(itemIds)}
    and (state in ('authorised', 'delivering') or (not conditional and state in ('placed', 'awaiting_payment')))`

export const hasLostDispute = (buyerId: string) => sql`exists (
  select from reversal join orders on orders.id = reversal.order_id
  where orders.buyer_id = ${buyerId} and reversal.kind = 'dispute' and reversal.status = 'lost'
    and not reversal.buyer_allowed)`

export const isPaused = sql`exists (select from sales_pause where until > now())`

/** How often the pages of a buyer's orders of a day, offers and bids too, declined a card. */
export const declinesOfDay = (buyerId: string) => sql`(
  select count(*)::int from stripe_inbox join orders on orders.id = stripe_inbox.order_id
  where orders.buyer_id = ${buyerId} and orders.created_at > now() - interval '1 day' and type = ${DECLINED})`

export async function isBuying(db: Kysely<Database>, buyerId: string, itemIds: string[]): Promise<boolean> {
  const { rows } = await activeOrders(buyerId, itemIds).execute(db)
  return rows.length > 0
}

export async function readStarts(trx: Transaction<Database>, buyerId: string, itemIds: string[]): Promise<Starts> {
  const { rows } = await sql<Starts>`
    select
      array(${activeOrders(buyerId, itemIds)}) as active,
      count(*) filter (where o.open)::int as open,
      coalesce(sum(o.reserved), 0)::int as reserved,
      count(*) filter (where o.is_gift and not o.released and o.created_at > now() - interval '1 day')::int as gifts,
      coalesce(extract(epoch from min(o.expires_at) filter (where o.open) - now()), 0)::float as first_ends_in_s,
      count(*) filter (where o.counts and o.created_at > now() - interval '1 hour')::int as last_hour,
      count(*) filter (where o.created_at > now() - interval '1 hour')::int as attempts,
      coalesce(extract(epoch from min(o.created_at) filter (where o.created_at > now() - interval '1 hour')
        + interval '1 hour' - now()), 0)::float as hour_ends_in_s,
      coalesce((
        select max(starts)::int from (
          select count(*) as starts from line join orders on orders.id = line.order_id
          where line.buyer_id = ${buyerId} and item_id = ${anyOf(itemIds)} and seller_id is not null
            and not conditional and created_at > now() - interval '1 day'
          group by item_id) per_item), 0) as most_per_item,
      ${hasLostDispute(buyerId)} as has_lost_dispute,
      ${isPaused} as is_paused,
      ${declinesOfDay(buyerId)} as declines
    from (
      select o.*, l.open, l.reserved, l.counts, l.released from orders o
      cross join lateral (
        select bool_or(state in ('placed', 'awaiting_payment')) as open,
          count(*) filter (where state in ('placed', 'awaiting_payment')) as reserved,
          bool_or(seller_id is not null or state = 'placed') as counts,
          bool_and(state = 'released') as released
        from line where order_id = o.id) l
      where o.buyer_id = ${buyerId} and o.order_kind = 'purchase' and o.created_at > now() - interval '2 days') o`.execute(
    trx,
  )
  return rows[0]!
}

/**
 * Number of works that wait for their payment in orders of a network (a hash). Serialises the purchases of the network
 * until the transaction ends: the last lock that it takes.
 */
export async function lockReservedOfNetwork(trx: Transaction<Database>, network: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${network}, 4714))`.execute(trx)
  const { rows } = await sql<{ reserved: number }>`
    select count(*)::int as reserved from order_network join line on line.order_id = order_network.order_id
    where network = ${network} and order_network.created_at > now() - interval '1 day'
      and state in ('placed', 'awaiting_payment')`.execute(trx)
  return rows[0]!.reserved
}

/** After a day no page of the processor is open. */
export async function deleteOldNetworks(db: Kysely<Database>) {
  await sql`delete from order_network where created_at < now() - interval '1 day'`.execute(db)
}

type NewOrder = {
  id: string
  orderKind: Order['orderKind']
  /** Of an offer. */
  days?: OfferDays | undefined
  /** Of a bid. */
  sure?: boolean | undefined
  buyerId: string
  /** Null: into custody. */
  wallet: string | null
  gift: Gift | null
  /** Hash of the client's network; null for an order that reserves nothing. */
  network: string | null
  termsVersion: string
  commissionBps: number
  lines: { id: string; itemId: string; priceCents: number }[]
  /** Lifetime of the Checkout Session; the processor's minimum is 30 minutes. */
  openForMs: number
  /** Time until the worker cancels an order without a session. */
  startWithinMs: number
}

export async function insertOrder(trx: Transaction<Database>, order: NewOrder) {
  const { id, orderKind, days, sure, buyerId, wallet, gift, network, termsVersion, commissionBps } = order
  const { lines, openForMs, startWithinMs } = order
  const inMs = (ms: number) => sql<Date>`now() + make_interval(secs => ${ms / 1000})`
  const conditional = orderKind !== 'purchase'
  await trx
    .with('placed', (db) =>
      db.insertInto('orders').values({
        id,
        orderKind,
        days,
        sure,
        buyerId,
        wallet,
        isGift: gift !== null,
        gift,
        termsVersion,
        commissionBps,
        totalCents: lines.reduce((sum, { priceCents }) => sum + priceCents, 0),
        expiresAt: sql<Date>`date_trunc('second', ${inMs(openForMs)})`,
        nextRunAt: inMs(startWithinMs),
        traceparent: currentTraceparent(),
      }),
    )
    .insertInto('line')
    .values(lines.map((line, position) => ({ ...line, orderId: id, buyerId, conditional, position })))
    .execute()
  if (network !== null) await trx.insertInto('orderNetwork').values({ orderId: id, network }).execute()
}

/** Stores for whom an unpaid order is. Returns false once its card is held: minting has the gift by then. */
export async function setGift(db: Kysely<Database>, orderId: string, gift: Gift): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('orders')
    .set({ gift, isGift: true })
    .where('id', '=', orderId)
    .where('authorisedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/**
 * Erases the addresses and texts of gifts whose purchase was never paid, or was released: no page of the processor is
 * open for days.
 */
export async function eraseReleasedGifts(db: Kysely<Database>) {
  await sql`
    update orders set gift = null where gift is not null and created_at < now() - interval '2 days'
      and (authorised_at is null
        or not exists (select from line where order_id = orders.id and state <> 'released'))`.execute(db)
}
