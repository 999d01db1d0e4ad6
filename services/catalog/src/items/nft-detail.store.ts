import type { NftDetail } from '@nifty/api/catalog/public'
import { toEuros } from '@nifty/api/shapes'
import type { Kysely } from 'kysely'
import type { Database } from '../db.ts'
import { itemNotFound, royaltyBpsOf } from './item.ts'
import { publicItems, toNft } from './nft.store.ts'

const MAX_HISTORY = 50

/** An item with its history, as the item page shows it. Throws 404 for a hidden item. */
export async function nftDetail(db: Kysely<Database>, id: string): Promise<NftDetail> {
  const item = await publicItems(db)
    .select(['reservedUntil', 'colorName', 'delistRequested', 'royaltyBps', 'listedAt', 'item.wallet'])
    .select(['creator.firstName', 'creator.lastName', 'creator.avatar', 'creator.deletedAt'])
    .where('item.id', '=', id)
    .executeTakeFirst()
  if (!item) throw itemNotFound()
  return {
    ...toNft(item),
    reservedUntil: item.reservedOrder === null ? null : (item.reservedUntil?.toISOString() ?? null),
    colorName: item.colorName,
    delistRequested: item.delistRequested,
    royaltyPercent: royaltyBpsOf(item, item) / 100,
    creator: creatorOf(item),
    listedAt: item.forSale ? (item.listedAt?.toISOString() ?? null) : null,
    custody: item.wallet === null,
    history: await historyOf(db, id),
  }
}

type Creator = Record<'creatorUsername' | 'firstName' | 'lastName' | 'avatar', string | null>

const creatorOf = ({ creatorUsername, firstName, lastName, avatar }: Creator) =>
  creatorUsername === null
    ? null
    : { username: creatorUsername, avatar, firstName: firstName ?? '', lastName: lastName ?? '' }

async function historyOf(db: Kysely<Database>, itemId: string): Promise<NftDetail['history']> {
  const rows = await db
    .selectFrom('itemHistory')
    .leftJoin('account', 'account.userId', 'itemHistory.userId')
    .select(['what', 'happenedAt', 'username', 'priceCents', 'txHash', 'custody'])
    .where('itemId', '=', itemId)
    .orderBy('happenedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_HISTORY)
    .execute()
  return rows.map(({ what, happenedAt, username, priceCents, txHash, custody }) => ({
    what,
    at: happenedAt.toISOString(),
    username,
    price: priceCents === null ? null : toEuros(priceCents),
    txHash,
    custody,
  }))
}
