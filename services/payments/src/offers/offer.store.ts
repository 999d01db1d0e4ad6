import { sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { declinesOfDay, hasLostDispute, isPaused } from '../purchases/purchase.store.ts'

/** What a buyer has offered and bid. Without purchases, which have limits of their own. */
export type OfferStarts = {
  /** Ids of orders in progress with the item: unpaid purchases as well. */
  active: string[]
  /** Number of open pages. */
  open: number
  firstEndsInS: number
  /** Starts within an hour, also of what catalog refused. */
  lastHour: number
  hourEndsInS: number
  /** Number of offers and bids whose card is held. */
  held: number
  hasLostDispute: boolean
  isPaused: boolean
  /** How often the pages of the orders of a day declined a card. */
  declines: number
}

/** A hold lives a week, so nothing is held longer. */
export async function readOfferStarts(
  trx: Transaction<Database>,
  buyerId: string,
  itemId: string,
): Promise<OfferStarts> {
  const { rows } = await sql<OfferStarts>`
    select
      array(
        select distinct order_id from line where buyer_id = ${buyerId} and item_id = ${itemId}
          and state in ('placed', 'awaiting_payment', 'held', 'authorised', 'delivering')
        order by order_id) as active,
      count(*) filter (where state in ('placed', 'awaiting_payment'))::int as open,
      coalesce(extract(epoch from min(expires_at) filter (where state in ('placed', 'awaiting_payment')) - now()), 0)
        ::float as first_ends_in_s,
      count(*) filter (where created_at > now() - interval '1 hour')::int as last_hour,
      coalesce(extract(epoch from min(created_at) filter (where created_at > now() - interval '1 hour')
        + interval '1 hour' - now()), 0)::float as hour_ends_in_s,
      count(*) filter (where state = 'held')::int as held,
      ${hasLostDispute(buyerId)} as has_lost_dispute,
      ${isPaused} as is_paused,
      ${declinesOfDay(buyerId)} as declines
    from orders join line on line.order_id = orders.id
    where orders.buyer_id = ${buyerId} and order_kind <> 'purchase' and created_at > now() - interval '9 days'`.execute(
    trx,
  )
  return rows[0]!
}
