import { type Kysely, sql } from 'kysely'
import type { Auction, Bid, Database, Item } from '../db.ts'

type Search = {
  id?: string | undefined
  orderId?: string | undefined
  itemId?: string | undefined
  accountId?: string | undefined
  state?: Auction['state'] | 'any' | undefined
  after?: string | undefined
}

export type FoundAuction = Auction & Pick<Item, 'contract' | 'identifier' | 'name'> & { sellerVoided: number }

/** The seller's void auctions that had bids. */
const sellerVoided = sql<number>`(
  select count(*) from auction other where other.seller_id = auction.seller_id and other.state = 'void' and other.bids > 0
)`

/**
 * The newest first, at most `limit`; with `after`, those after this auction. Without a state those that are not over.
 */
export async function findAuctions(
  db: Kysely<Database>,
  { id, orderId, itemId, accountId, state, after }: Search,
  limit: number,
): Promise<FoundAuction[]> {
  return db
    .selectFrom('auction')
    .innerJoin('item', 'item.id', 'auction.itemId')
    .selectAll('auction')
    .select(['item.contract', 'item.identifier', 'item.name', sellerVoided.as('sellerVoided')])
    .$if(id !== undefined, (query) => query.where('auction.id', '=', id!))
    .$if(orderId !== undefined, (query) =>
      query.where(sql<boolean>`auction.id = (select auction_id from bid where order_id = ${orderId})`),
    )
    .$if(itemId !== undefined, (query) => query.where('auction.itemId', '=', itemId!))
    .$if(accountId !== undefined, (query) =>
      query.where(
        sql<boolean>`(auction.seller_id = ${accountId}
          or auction.id = any(array(select auction_id from bid where bidder_id = ${accountId})))`,
      ),
    )
    .$if(state === undefined, (query) => query.where('auction.state', 'in', ['open', 'awarded']))
    .$if(state !== undefined && state !== 'any', (query) =>
      query.where('auction.state', '=', state as Auction['state']),
    )
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(auction.created_at, auction.id) < (select created_at, id from auction where id = ${after})`,
      ),
    )
    .orderBy('auction.createdAt', 'desc')
    .orderBy('auction.id', 'desc')
    .limit(limit)
    .execute()
}

/** All bids of an auction, the one that began last first. */
export function findBidsOfAuction(db: Kysely<Database>, auctionId: string): Promise<Bid[]> {
  return db
    .selectFrom('bid')
    .selectAll()
    .where('auctionId', '=', auctionId)
    .orderBy('startedAt', 'desc')
    .orderBy('orderId', 'desc')
    .execute()
}

/** The number of open auctions, and for how long the oldest of those is past its end, seconds; 0 when none is. */
export async function countOpenAuctions(db: Kysely<Database>): Promise<{ open: number; overdueSeconds: number }> {
  const { rows } = await sql<{ open: number; overdueSeconds: number }>`
    select count(*) as open,
      coalesce(greatest(0, extract(epoch from clock_timestamp() - min(ends_at))), 0)::float8 as overdue_seconds
    from auction where state = 'open'`.execute(db)
  return rows[0]!
}
