import type { ReservedLine } from '@nifty/api/catalog/internal'
import type { AuctionOutcome } from '@nifty/api/catalog/public'
import type { OfferDays } from '@nifty/api/offer-days'
import type { AuditTables } from '@nifty/service-kit/database/operator-audit'
import type { MessagingTables } from '@nifty/service-kit/messaging/tables'
import type { ColumnType, Generated, JSONColumnType, Selectable } from 'kysely'

type Timestamp = ColumnType<Date, Date | string, Date | string>
type NullableTimestamp = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>

type AccountTable = {
  userId: string
  version: Generated<number>
  username: string | null
  firstName: Generated<string>
  lastName: Generated<string>
  avatar: string | null
  description: Generated<string>
  wallet: string | null
  admin: Generated<boolean>
  suspended: Generated<boolean>
  deletedAt: NullableTimestamp
}

type ItemTable = {
  id: string
  token: string
  contract: string
  identifier: string
  creatorId: string
  name: string
  description: string
  category: string
  image: string
  width: number
  height: number
  color: string
  colorName: string | null
  orientation: string | null
  royaltyBps: number
  mintedAt: Timestamp
  ownerId: string | null
  wallet: string | null
  priceCents: number | null
  forSale: Generated<boolean>
  listedAt: NullableTimestamp
  delistedAt: NullableTimestamp
  listingVersion: Generated<number>
  listWhenOwned: Generated<boolean>
  shownAt: Timestamp
  soldAt: NullableTimestamp
  reservedOrder: string | null
  reservedBy: string | null
  reservedCents: number | null
  reservedSeller: string | null
  reservedUntil: NullableTimestamp
  delistRequested: Generated<boolean>
  hiddenAt: NullableTimestamp
  hiddenBy: 'owner' | 'operator' | null
  hiddenReason: string | null
  offerMinimumCents: Generated<number | null>
  auctionId: Generated<string | null>
}

type OfferTable = {
  orderId: string
  itemId: string
  ownerId: string
  buyerId: string
  wallet: string | null
  priceCents: number
  days: OfferDays
  state: Generated<'started' | 'open' | 'accepted' | 'ended'>
  why: Generated<string | null>
  startedAt: Generated<Date>
  endsAt: NullableTimestamp
  endedAt: NullableTimestamp
}

type AuctionTable = {
  id: Generated<string>
  itemId: string
  sellerId: string
  openingCents: number
  hours: number
  createdAt: Generated<Date>
  startsAt: NullableTimestamp
  endsAt: NullableTimestamp
  latestEndAt: NullableTimestamp
  state: Generated<'open' | AuctionOutcome>
  why: Generated<string | null>
  priceCents: Generated<number | null>
  leaderOrder: Generated<string | null>
  bids: Generated<number>
  endedAt: NullableTimestamp
  formerCents: Generated<number | null>
  formerForSale: Generated<boolean>
  formerMinimumCents: Generated<number | null>
}

type BidTable = {
  orderId: string
  auctionId: string
  bidderId: string
  wallet: string | null
  limitCents: number
  state: Generated<'started' | 'leading' | 'won' | 'ended'>
  why: Generated<string | null>
  startedAt: Generated<Date>
  stoodAt: NullableTimestamp
  placedAt: NullableTimestamp
  priceCents: Generated<number | null>
  withdrawn: Generated<boolean>
}

export type Database = AuditTables &
  MessagingTables & {
    account: AccountTable
    creator: { userId: string; works: Generated<number>; sales: Generated<number>; buyers: Generated<number> }
    sellerBuyer: { sellerId: string; buyerId: string }
    accountCard: { userId: string; card: string }
    holding: {
      token: string
      ownerId: string | null
      wallet: string | null
      position: number
      txHash: string
      movedAt: Timestamp
    }
    item: ItemTable
    itemText: {
      itemId: string
      place: Generated<number>
      creator: string
      name: string
      text: string
      pictured: Generated<boolean>
    }
    artistText: { userId: string; text: string }
    searchWord: { word: string }
    itemHistory: {
      id: Generated<number>
      itemId: string
      what: 'minted' | 'listed' | 'moved' | 'sold'
      happenedAt: Timestamp
      userId: string | null
      priceCents: number | null
      txHash: string | null
      custody: 'in' | 'out' | null
    }
    dailyPrice: { itemId: string; day: Date; lowestCents: number; highestCents: number }
    favourite: { userId: string; itemId: string; createdAt: Generated<Date> }
    follow: { userId: string; artistId: string; createdAt: Generated<Date> }
    auctionNews: {
      auctionId: string
      what: 'began' | 'ends'
      at: Generated<Date>
      after: Generated<string>
      published: Generated<boolean>
    }
    itemNews: {
      id: Generated<number>
      itemId: string
      what: 'cheaper' | 'sold' | 'available' | 'listed'
      exceptIds: string[]
      at: Timestamp
      after: Generated<string>
      formerCents: Generated<number | null>
    }
    reservation: {
      orderId: string
      buyerId: string | null
      lines: JSONColumnType<ReservedLine[] | null, string | null, string | null>
      releasedAt: NullableTimestamp
      createdAt: Generated<Date>
    }
    offer: OfferTable
    auction: AuctionTable
    bid: BidTable
    auctionClock: { id: Generated<boolean>; seenAt: ColumnType<Date, Date | string | undefined, Date | string> }
    contestedLine: { lineId: string; itemId: string; buyerId: string; contested: boolean; at: Timestamp }
    featuredItem: { position: number; itemId: string }
    exhibition: {
      id: Generated<string>
      slug: string
      artistId: string | null
      title: string
      description: string
      opensOn: string
      createdAt: Generated<Date>
    }
    exhibitionItem: { exhibitionId: string; position: number; itemId: string }
    marketGeneration: { slot: number; changes: number }
  }

export type Account = Selectable<AccountTable>
export type Item = Selectable<ItemTable>
export type Offer = Selectable<OfferTable>
export type Auction = Selectable<AuctionTable>
export type Bid = Selectable<BidTable>
