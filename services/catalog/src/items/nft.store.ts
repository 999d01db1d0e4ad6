import type { Nft } from '@nifty/api/catalog/public'
import type { HiddenNft } from '@nifty/api/catalog/visibility'
import { toEuros } from '@nifty/api/shapes'
import { anyOf } from '@nifty/service-kit/database/database'
import { type Kysely, sql } from 'kysely'
import { findPublicAuctions } from '../auctions/auction-view.store.ts'
import { type PublicAuction, viewAuction } from '../auctions/auction-view.ts'
import type { Database } from '../db.ts'

/** `offers`: false while offers are switched off; then no work takes them. */
export type Shown = { offers: boolean }

/** The public fields of items, listed one by one so that a new column stays private. */
const items = (db: Kysely<Database>) =>
  db
    .selectFrom('item')
    .leftJoin('account as owner', 'owner.userId', 'item.ownerId')
    .leftJoin('account as creator', 'creator.userId', 'item.creatorId')
    .select([
      ...(['item.id', 'name', 'item.description', 'image', 'width', 'height', 'color', 'priceCents'] as const),
      ...(['forSale', 'listWhenOwned', 'reservedOrder', 'contract', 'category', 'identifier'] as const),
      ...(['offerMinimumCents', 'auctionId'] as const),
      'owner.username as ownerUsername',
      'owner.firstName as ownerFirstName',
      'owner.lastName as ownerLastName',
      'owner.avatar as ownerAvatar',
      'creator.username as creatorUsername',
    ])

export const publicItems = (db: Kysely<Database>) => items(db).where('item.hiddenAt', 'is', null)

type Row = Awaited<ReturnType<ReturnType<typeof items>['execute']>>[number]

/**
 * All owner fields are null if no account has proven to hold the token, or if the account is deleted. `auction`: the
 * one of its `auctionId`.
 */
export function toNft(row: Row, { offers }: Shown, auction?: PublicAuction): Nft {
  const { id, name, description, image, width, height, color, contract, category, identifier } = row
  const known = row.ownerUsername !== null
  const person = {
    username: row.ownerUsername!,
    avatar: row.ownerAvatar,
    firstName: row.ownerFirstName ?? '',
    lastName: row.ownerLastName ?? '',
  }
  return {
    _id: id,
    name,
    title: name,
    description,
    image,
    display_image_url: image,
    width,
    height,
    color,
    price: row.priceCents === null ? null : toEuros(row.priceCents),
    forSale: row.forSale,
    reserved: row.reservedOrder !== null,
    listingPending: row.listWhenOwned,
    contract,
    category,
    identifier,
    token_standard: 'ERC721',
    auction: auction ? viewAuction(auction) : null,
    owner: known ? person : null,
    ownerUsername: known ? person.username : null,
    ownerFirstName: known ? person.firstName : null,
    ownerLastName: known ? person.lastName : null,
    ownerAvatar: known ? person.avatar : null,
    creatorUsername: row.creatorUsername,
    offers: offers && row.offerMinimumCents !== null ? { minimum: toEuros(row.offerMinimumCents) } : null,
  }
}

async function toNfts(db: Kysely<Database>, rows: Row[], shown: Shown): Promise<Nft[]> {
  const auctions = await findPublicAuctions(
    db,
    rows.map(({ auctionId }) => auctionId),
  )
  return rows.map((row) => toNft(row, shown, auctions.get(row.auctionId ?? '')))
}

/** In the order of `ids`, without hidden items. */
export async function nftsByIds(db: Kysely<Database>, ids: string[], shown: Shown): Promise<Nft[]> {
  if (ids.length === 0) return []
  const rows = await publicItems(db).where('item.id', '=', anyOf(ids)).execute()
  const byId = new Map((await toNfts(db, rows, shown)).map((nft) => [nft._id, nft]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

const MAX_OF_USER = 200

/** In lower case; the "@" that sign-up adds to a username may be left out. */
export const usernameOf = (text: string) => `@${text.replace(/^@/, '')}`.toLowerCase()

/** The items of an owner, newest listing first. */
export async function nftsOfUser(db: Kysely<Database>, name: string, shown: Shown): Promise<Nft[]> {
  const rows = await publicItems(db)
    .where((eb) => eb(eb.fn<string>('lower', ['owner.username']), '=', name))
    .orderBy('shownAt', 'desc')
    .orderBy('item.id', 'desc')
    .limit(MAX_OF_USER)
    .execute()
  return toNfts(db, rows, shown)
}

/** The hidden items of an owner, the last hidden first. */
export async function hiddenNftsOf(db: Kysely<Database>, ownerId: string): Promise<HiddenNft[]> {
  const rows = await items(db)
    .select(sql<'owner' | 'operator'>`hidden_by`.as('hiddenBy'))
    .select(sql<string | null>`case hidden_by when 'operator' then hidden_reason end`.as('hiddenReason'))
    .where('item.ownerId', '=', ownerId)
    .where('item.hiddenAt', 'is not', null)
    .orderBy('item.hiddenAt', 'desc')
    .orderBy('item.id', 'desc')
    .limit(MAX_OF_USER)
    .execute()
  return rows.map((row) => ({
    ...toNft(row, { offers: false }),
    hiddenBy: row.hiddenBy,
    hiddenReason: row.hiddenReason,
  }))
}
