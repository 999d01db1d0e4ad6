import { anyOf } from '@nifty/service-kit/database/database'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db.ts'
import type { PublicAuction } from './auction-view.ts'

const publicColumns = [
  'id',
  'openingCents',
  'hours',
  'startsAt',
  'endsAt',
  'priceCents',
  'bids',
  'state',
  'why',
  'endedAt',
] as const

/** By id, those that exist. */
export async function findPublicAuctions(
  db: Kysely<Database>,
  ids: (string | null)[],
): Promise<Map<string, PublicAuction>> {
  const wanted = ids.filter((id) => id !== null)
  if (wanted.length === 0) return new Map()
  const rows = await db.selectFrom('auction').select(publicColumns).where('id', '=', anyOf(wanted)).execute()
  return new Map(rows.map((auction) => [auction.id, auction]))
}

/** The last auction of an item that is over, unless the item was for sale or sold otherwise since. */
export function findLastAuction(db: Kysely<Database>, itemId: string): Promise<PublicAuction | undefined> {
  return db
    .selectFrom('auction')
    .select(publicColumns)
    .where('itemId', '=', itemId)
    .where('endedAt', 'is not', null)
    .where(
      sql<boolean>`exists (
        select from item where id = auction.item_id and not for_sale and coalesce(delisted_at <= ended_at, true))`,
    )
    .where(
      sql<boolean>`not exists (
        select from item_history
        where item_history.item_id = auction.item_id and what in ('listed', 'sold') and happened_at > ended_at)`,
    )
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** `leader`: the number of the bidder who led afterwards, at the price. */
export type PublicBid = { bidder: number; leader: number; priceCents: number; stoodAt: Date; withdrawn: boolean }

/** The bidders whose bids stood, numbered by their first one. */
const numberedBidders = (auctionId: string) => sql`
  select bidder_id, row_number() over (order by min(stood_at), bidder_id)::integer as number
  from bid where auction_id = ${auctionId} and stood_at is not null group by bidder_id`

/**
 * The bids that stood, the newest first, at most `limit`. Who led after one named the most until then, and first. A bid
 * at the opening price had no leader before it: it is the first one, or the first after a leader was lost.
 */
export async function findPublicBids(db: Kysely<Database>, auctionId: string, limit: number): Promise<PublicBid[]> {
  const { rows } = await sql<PublicBid>`
    with bidder as (${numberedBidders(auctionId)}),
      stood as (
        select bid.*, bidder.number as bidder,
          row_number() over (order by stood_at, order_id)::integer as place,
          count(*) filter (where bid.price_cents = opening_cents) over (order by stood_at, order_id) as run
        from bid join bidder using (bidder_id) join auction on auction.id = auction_id
        where auction_id = ${auctionId} and stood_at is not null)
    select bidder, price_cents, stood_at, withdrawn,
      (max(array[limit_cents, -place, bidder]) over (partition by run order by place))[3] as leader
    from stood order by place desc limit ${limit}`.execute(db)
  return rows
}

/** The number of a bidder in the public history; undefined before a bid of this account stood. */
export async function findBidderNumber(
  db: Kysely<Database>,
  { auctionId, bidderId }: { auctionId: string; bidderId: string },
): Promise<number | undefined> {
  const { rows } = await sql<{ number: number }>`
    select number from (${numberedBidders(auctionId)}) as bidder where bidder_id = ${bidderId}`.execute(db)
  return rows[0]?.number
}
