import type { NftDetail } from '@nifty/api/catalog/public'
import { toEuros } from '@nifty/api/shapes'
import type { Kysely } from 'kysely'
import type { Account, Database } from '../db.ts'
import { findItem } from './item.store.ts'
import { itemNotFound, royaltyBpsOf } from './item.ts'
import { nftsByIds } from './nft.store.ts'

const MAX_HISTORY = 50

/** An item with its history, as the item page shows it. Throws 404 for a hidden item. */
export async function nftDetail(db: Kysely<Database>, id: string): Promise<NftDetail> {
  const [[nft], item, history] = await Promise.all([nftsByIds(db, [id]), findItem(db, id), historyOf(db, id)])
  if (!nft || !item) throw itemNotFound()
  const creator = await db.selectFrom('account').selectAll().where('userId', '=', item.creatorId).executeTakeFirst()
  return {
    ...nft,
    reservedUntil: item.reservedOrder === null ? null : (item.reservedUntil?.toISOString() ?? null),
    colorName: item.colorName,
    delistRequested: item.delistRequested,
    royaltyPercent: royaltyBpsOf(item, creator) / 100,
    creator: person(creator),
    listedAt: item.forSale ? (item.listedAt?.toISOString() ?? null) : null,
    custody: item.wallet === null,
    history,
  }
}

const person = (account: Account | undefined) =>
  account && account.username !== null
    ? {
        username: account.username,
        avatar: account.avatar,
        firstName: account.firstName,
        lastName: account.lastName,
      }
    : null

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
    ...{ what, at: happenedAt.toISOString(), username },
    ...{ price: priceCents === null ? null : toEuros(priceCents), txHash, custody },
  }))
}
