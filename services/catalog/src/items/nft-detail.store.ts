import type { NftDetail } from '@nifty/api/catalog/public'
import { toEuros } from '@nifty/api/shapes'
import { type Kysely, type Selectable, sql } from 'kysely'
import { findLastAuction, findPublicAuctions } from '../auctions/auction-view.store.ts'
import type { Database } from '../db.ts'
import { openOffersOf } from '../offers/offer.store.ts'
import { itemNotFound, royaltyBpsOf } from './item.ts'
import { publicItems, type Shown, toNft } from './nft.store.ts'

/** Entries of a history: of what happened on the chain, and with those listings that there is room for. */
const MAX_ON_CHAIN = 500
const MAX_HISTORY = 50

/** An item with its history, as the item page shows it. Throws 404 for a hidden item. */
export async function nftDetail(db: Kysely<Database>, id: string, shown: Shown): Promise<NftDetail> {
  const item = await publicItems(db)
    .select(['reservedUntil', 'colorName', 'delistRequested', 'royaltyBps', 'listedAt', 'item.wallet'])
    .select(['creator.firstName', 'creator.lastName', 'creator.avatar', 'creator.deletedAt'])
    // Of an accepted offer or a won auction: no payment page has an end.
    .select(
      sql<boolean>`exists (select from offer where order_id = reserved_order)
        or exists (select from bid where order_id = reserved_order)`.as('isSoldToBidder'),
    )
    .where('item.id', '=', id)
    .executeTakeFirst()
  if (!item) throw itemNotFound()
  const auction =
    item.auctionId === null
      ? await findLastAuction(db, id)
      : (await findPublicAuctions(db, [item.auctionId])).get(item.auctionId)
  const nft = toNft(item, shown, auction)
  return {
    ...nft,
    offers: nft.offers && { ...nft.offers, ...(await offersFor(db, id)) },
    reservedUntil:
      item.reservedOrder === null || item.isSoldToBidder ? null : (item.reservedUntil?.toISOString() ?? null),
    colorName: item.colorName,
    delistRequested: item.delistRequested,
    royaltyPercent: royaltyBpsOf(item, item) / 100,
    creator: creatorOf(item),
    listedAt: item.forSale ? (item.listedAt?.toISOString() ?? null) : null,
    custody: item.wallet === null,
    history: (await historyOf(db, id)).map(({ userId: _id, ...entry }) => entry),
  }
}

async function offersFor(db: Kysely<Database>, itemId: string) {
  const { count, highestCents } = await openOffersOf(db, itemId)
  return { count, highest: highestCents === null ? null : toEuros(highestCents) }
}

type Creator = Record<'creatorUsername' | 'firstName' | 'lastName' | 'avatar', string | null>

const creatorOf = ({ creatorUsername, firstName, lastName, avatar }: Creator) =>
  creatorUsername === null
    ? null
    : { username: creatorUsername, avatar, firstName: firstName ?? '', lastName: lastName ?? '' }

type HistoryRow = Pick<
  Selectable<Database['itemHistory']>,
  'what' | 'happenedAt' | 'priceCents' | 'txHash' | 'custody'
> & { userId: string | null; username: string | null }

/**
 * Newest first. Listings are left out before anything else, so that no number of them hides the mint, a move or a sale;
 * then moves, which cost their sender no more than gas.
 */
export async function historyOf(db: Kysely<Database>, itemId: string) {
  const { rows } = await sql<HistoryRow>`
    with entries as (
      select *, row_number() over (order by what = 'listed', what = 'moved', happened_at desc, id desc) as rank
      from item_history where item_id = ${itemId})
    select what, happened_at, entries.user_id, username, price_cents, tx_hash, custody
    from entries left join account on account.user_id = entries.user_id
    where rank <= case what when 'listed' then ${MAX_HISTORY}::int else ${MAX_ON_CHAIN}::int end
    order by happened_at desc, id desc`.execute(db)
  return rows.map(({ what, happenedAt, userId, username, priceCents, txHash, custody }) => ({
    what,
    at: happenedAt.toISOString(),
    userId,
    username,
    price: priceCents === null ? null : toEuros(priceCents),
    txHash,
    custody,
  }))
}
