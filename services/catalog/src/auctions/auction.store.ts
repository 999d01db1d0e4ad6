import { type Insertable, type Kysely, sql, type Transaction } from 'kysely'
import type { Auction, Database } from '../db.ts'

/** Also for a decision under the row lock of the item, without which no auction changes. */
export function findAuction(db: Kysely<Database>, id: string): Promise<Auction | undefined> {
  return db.selectFrom('auction').selectAll().where('id', '=', id).executeTakeFirst()
}

export function addAuction(trx: Transaction<Database>, auction: Insertable<Database['auction']>): Promise<Auction> {
  return trx.insertInto('auction').values(auction).returningAll().executeTakeFirstOrThrow()
}

export async function saveAuction(trx: Transaction<Database>, { id, ...auction }: Auction) {
  await trx.updateTable('auction').set(auction).where('id', '=', id).execute()
}

/**
 * Saves what bids that stand change: the leader, the price, the number of bids and the ends of their auction, and the
 * price of its work.
 */
export async function saveStanding(
  trx: Transaction<Database>,
  { id, itemId, leaderOrder, priceCents, bids, endsAt, latestEndAt }: Auction,
) {
  await sql`
    with priced as (
      update item set price_cents = ${priceCents} where id = ${itemId} and price_cents is distinct from ${priceCents}
    )
    update auction set leader_order = ${leaderOrder}, price_cents = ${priceCents}, bids = ${bids},
      ends_at = ${endsAt}, latest_end_at = ${latestEndAt}
    where id = ${id}`.execute(trx)
}

/** Some auctions whose end has come, but none that waits for bids that began before it; in random order. */
export async function findDueAuctions(db: Kysely<Database>, graceMs: number, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from auction where state = 'open' and ends_at <= clock_timestamp()
      and (ends_at < clock_timestamp() - ${graceMs}::integer * interval '1 millisecond'
        or not exists (select from bid where auction_id = auction.id and state = 'started'))
    order by random() limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** An auction, the database's time, and when the worker last stored that it runs. */
export type TimedAuction = { auction: Auction; now: Date; seenAt: Date }

/** In one statement: the fewer a bid takes, the shorter it locks its item. Throws when there is no such auction. */
export async function findTimedAuction(db: Kysely<Database>, id: string): Promise<TimedAuction> {
  const { now, seenAt, ...auction } = await db
    .selectFrom(['auction', 'auctionClock'])
    .selectAll('auction')
    .select(['auctionClock.seenAt', sql<Date>`clock_timestamp()`.as('now')])
    .where('auction.id', '=', id)
    .executeTakeFirstOrThrow()
  return { auction, now, seenAt }
}

/** Whether the worker has not stored for ten seconds that it runs, while an auction runs. */
export async function isClockDue(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql`
    select from auction_clock where seen_at < clock_timestamp() - interval '10 seconds'
      and exists (select from auction where state = 'open' and ends_at is not null)`.execute(db)
  return rows.length > 0
}

export async function lockClock(trx: Transaction<Database>): Promise<Date> {
  const { seenAt } = await trx.selectFrom('auctionClock').select('seenAt').forUpdate().executeTakeFirstOrThrow()
  return seenAt
}

export async function saveClock(trx: Transaction<Database>, seenAt: Date) {
  await trx.updateTable('auctionClock').set({ seenAt }).execute()
}

/** The open auctions that end after a time. */
export function findAuctionsEndingAfter(db: Kysely<Database>, time: Date): Promise<Auction[]> {
  return db.selectFrom('auction').selectAll().where('state', '=', 'open').where('endsAt', '>', time).execute()
}
