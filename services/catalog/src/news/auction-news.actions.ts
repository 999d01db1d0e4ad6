import { auctionNews } from '@nifty/events/catalog'
import { MAX_NEWS_ACCOUNTS } from '@nifty/events/shapes'
import { publishEvent } from '@nifty/service-kit/messaging/outbox'
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../db.ts'
import {
  type AuctionNews,
  lockAuctionNews,
  type NewsReader,
  nextReaders,
  recordAuctionNews,
  saveAuctionNews,
} from './auction-news.store.ts'
import { nameOf } from './item-news.actions.ts'

/**
 * Records what is news of auctions, and publishes the next portion of the oldest news, in one transaction. News of an
 * auction that is decided is dropped. Returns true if that news has a further portion.
 */
export const publishAuctionNews = (db: Kysely<Database>): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    await recordAuctionNews(trx)
    const news = await lockAuctionNews(trx)
    if (!news) return false
    const auction = await readAuction(trx, news.auctionId)
    const readers = auction.state === 'open' ? await nextReaders(trx, news, MAX_NEWS_ACCOUNTS) : []
    const { leaderId } = auction
    await publishTo(trx, { news, auction, readers: readers.filter(({ hasBid }) => !hasBid) })
    await publishTo(trx, { news, auction, readers: readers.filter(({ hasBid }) => hasBid), bidders: { leaderId } })
    const hasMore = readers.length === MAX_NEWS_ACCOUNTS
    await saveAuctionNews(trx, news, hasMore ? readers.at(-1)!.userId : undefined)
    return hasMore
  })

type Portion = {
  news: AuctionNews
  auction: Awaited<ReturnType<typeof readAuction>>
  readers: NewsReader[]
  bidders?: { leaderId: string | null }
}

async function publishTo(trx: Transaction<Database>, { news, auction, readers, bidders }: Portion) {
  if (readers.length === 0) return
  await publishEvent(trx, auctionNews, {
    auctionId: news.auctionId,
    itemId: auction.itemId,
    contract: auction.contract,
    identifier: auction.identifier,
    name: auction.name,
    image: auction.image,
    artist: nameOf(auction),
    what: news.what,
    priceCents: auction.priceCents ?? auction.openingCents,
    endsAt: auction.endsAt?.toISOString() ?? null,
    userIds: readers.map(({ userId }) => userId),
    ...(bidders && { bidders }),
    at: news.at.toISOString(),
  })
}

const readAuction = (trx: Transaction<Database>, id: string) =>
  trx
    .selectFrom('auction')
    .innerJoin('item', 'item.id', 'auction.itemId')
    .leftJoin('account', 'account.userId', 'item.creatorId')
    .leftJoin('bid as leader', 'leader.orderId', 'auction.leaderOrder')
    .select(['auction.itemId', 'auction.state', 'auction.openingCents', 'auction.priceCents', 'auction.endsAt'])
    .select('leader.bidderId as leaderId')
    .select(['contract', 'identifier', 'name', 'image'])
    .select(['username', 'firstName', 'lastName'])
    .where('auction.id', '=', id)
    .executeTakeFirstOrThrow()
