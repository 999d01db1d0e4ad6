import { anyOf } from '@nifty/service-kit/database/database'
import { type Insertable, type Kysely, sql, type Transaction } from 'kysely'
import type { Auction, Bid, Database } from '../db.ts'

/** Also for a decision under the row lock of the item, without which no bid changes. */
export function findBid(db: Kysely<Database>, orderId: string): Promise<Bid | undefined> {
  return db.selectFrom('bid').selectAll().where('orderId', '=', orderId).executeTakeFirst()
}

/** By their orders; unknown ones are missing. */
export function findBids(db: Kysely<Database>, orderIds: string[]): Promise<Bid[]> {
  return db.selectFrom('bid').selectAll().where('orderId', '=', anyOf(orderIds)).execute()
}

export async function findLeader(db: Kysely<Database>, { leaderOrder }: Auction): Promise<Bid | undefined> {
  return leaderOrder === null ? undefined : findBid(db, leaderOrder)
}

/** Those that began or lead, of all bidders or of one, the earliest first. */
export function findLivingBids(db: Kysely<Database>, auctionId: string, bidderId?: string): Promise<Bid[]> {
  return db
    .selectFrom('bid')
    .selectAll()
    .where('auctionId', '=', auctionId)
    .$if(bidderId !== undefined, (query) => query.where('bidderId', '=', bidderId!))
    .where(sql<boolean>`state in ('started', 'leading')`)
    .orderBy('startedAt')
    .orderBy('orderId')
    .execute()
}

/** What decides some bids of an auction: these, those that began or lead, the last one that stood; earliest first. */
export function findBidsToDecide(db: Kysely<Database>, auctionId: string, orderIds: string[]): Promise<Bid[]> {
  return db
    .selectFrom('bid')
    .selectAll()
    .where('auctionId', '=', auctionId)
    .where(
      sql<boolean>`(state in ('started', 'leading') or order_id = ${anyOf(orderIds)}
        or stood_at = (select max(stood_at) from bid where auction_id = ${auctionId}))`,
    )
    .orderBy('startedAt')
    .orderBy('orderId')
    .execute()
}

/** The accounts whose bids in an auction stood, without one account, by their ids. */
export async function findFormerBidders(db: Kysely<Database>, auctionId: string, without: string): Promise<string[]> {
  const { rows } = await sql<{ bidderId: string }>`
    select distinct bidder_id from bid
    where auction_id = ${auctionId} and stood_at is not null and bidder_id <> ${without}
    order by bidder_id`.execute(db)
  return rows.map(({ bidderId }) => bidderId)
}

export async function addBid(trx: Transaction<Database>, bid: Insertable<Database['bid']>) {
  await trx.insertInto('bid').values(bid).execute()
}

/** Of one auction; bids that end are saved before one that leads, because one bid of an auction leads at a time. */
export async function saveBids(trx: Transaction<Database>, bids: Bid[]) {
  const [ended, others] = [bids.filter(isEnded), bids.filter((bid) => !isEnded(bid))]
  for (const saved of [ended, others]) if (saved.length > 0) await saveRows(trx, saved)
}

const isEnded = ({ state }: Bid) => state === 'ended'

/** What changes of a bid, in one statement. */
async function saveRows(trx: Transaction<Database>, bids: Bid[]) {
  const column = <Name extends keyof Bid>(name: Name) => bids.map((bid) => bid[name])
  await sql`
    update bid set state = saved.state, why = saved.why, stood_at = saved.stood_at, placed_at = saved.placed_at,
      price_cents = saved.price_cents, withdrawn = saved.withdrawn
    from unnest(${column('orderId')}::uuid[], ${column('state')}::text[], ${column('why')}::text[],
      ${column('stoodAt')}::timestamptz[], ${column('placedAt')}::timestamptz[], ${column('priceCents')}::integer[],
      ${column('withdrawn')}::boolean[])
      as saved (order_id, state, why, stood_at, placed_at, price_cents, withdrawn)
    where bid.order_id = saved.order_id`.execute(trx)
}

/** The orders of some bids whose cards were not held within an hour; in random order. */
export async function findUnheldBids(db: Kysely<Database>, limit: number): Promise<string[]> {
  const { rows } = await sql<{ orderId: string }>`
    select order_id from bid where state = 'started' and started_at <= clock_timestamp() - interval '1 hour'
    order by random() limit ${limit}`.execute(db)
  return rows.map(({ orderId }) => orderId)
}
