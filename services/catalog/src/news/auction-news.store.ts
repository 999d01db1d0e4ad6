import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'

export type AuctionNews = Selectable<Database['auctionNews']>

/**
 * What is news of open auctions and is not recorded yet: it began, or ends within the hour. One of an hour whose start
 * was announced only begins.
 */
const unrecorded = sql`
  select auction.id as auction_id, news.what
  from auction, lateral (values
    ('began', coalesce(starts_at, created_at) <= clock_timestamp()),
    ('ends', ends_at between clock_timestamp() and clock_timestamp() + interval '1 hour'
      and (starts_at is null or hours > 1))
  ) news (what, is_due)
  where state = 'open' and news.is_due
    and not exists (select from auction_news known where known.auction_id = auction.id and known.what = news.what)`

/** Whether there is news to record, or recorded news that no other process works on. */
export async function isAuctionNewsDue(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<{ isDue: boolean }>`select exists (${unrecorded}) as is_due`.execute(db)
  if (rows[0]!.isDue) return true
  const { rows: waiting } = await sql`
    select from auction_news where not published limit 1 for update skip locked`.execute(db)
  return waiting.length > 0
}

export async function recordAuctionNews(db: Kysely<Database>) {
  await sql`insert into auction_news (auction_id, what) ${unrecorded} on conflict do nothing`.execute(db)
}

/** The oldest news that no other process works on. */
export function lockAuctionNews(trx: Transaction<Database>): Promise<AuctionNews | undefined> {
  return trx
    .selectFrom('auctionNews')
    .selectAll()
    .where('published', '=', false)
    .orderBy('at')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}

/** Whom news concerns. `hasBid`: with a bid that leads or was outbid. */
export type NewsReader = { userId: string; hasBid: boolean }

/**
 * The next accounts that marked the work of the auction, without its seller, in the order of their ids. Of its last
 * hour also those that bid in it; not of an auction of an hour, whose first bid is as late.
 */
export async function nextReaders(
  trx: Transaction<Database>,
  { auctionId, what, after }: AuctionNews,
  limit: number,
): Promise<NewsReader[]> {
  const { rows } = await sql<NewsReader>`
    select user_id, bool_or(has_bid) as has_bid
    from auction, lateral (
      select user_id, false as has_bid from favourite where favourite.item_id = auction.item_id
      union all
      select bidder_id, true from bid
      where bid.auction_id = auction.id and stood_at is not null and (state = 'leading' or why = 'outbid')
        and ${what} = 'ends' and hours > 1
    ) reader
    where auction.id = ${auctionId} and user_id > ${after} and user_id <> seller_id
    group by user_id order by user_id limit ${limit}`.execute(trx)
  return rows
}

/** `after`: the last account of a portion; undefined when nothing is left to publish. */
export async function saveAuctionNews(
  trx: Transaction<Database>,
  { auctionId, what }: AuctionNews,
  after: string | undefined,
) {
  const changes = after === undefined ? { published: true } : { after }
  await trx
    .updateTable('auctionNews')
    .set(changes)
    .where('auctionId', '=', auctionId)
    .where('what', '=', what)
    .execute()
}
