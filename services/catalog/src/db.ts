import type { ReservedLine } from '@nifty/api/internal'
import type { MessagingTables } from '@nifty/service-kit/messaging/tables'
import type { ColumnType, Generated, JSONColumnType, Selectable } from 'kysely'

type Moment = ColumnType<Date, Date | string, Date | string>
type MaybeMoment = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>

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
  deletedAt: MaybeMoment
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
  royaltyBps: number
  mintedAt: Moment
  ownerId: string | null
  wallet: string | null
  priceCents: number | null
  forSale: Generated<boolean>
  listedAt: MaybeMoment
  listingVersion: Generated<number>
  listWhenOwned: Generated<boolean>
  shownAt: Moment
  reservedOrder: string | null
  reservedBy: string | null
  reservedCents: number | null
  reservedSeller: string | null
  reservedUntil: MaybeMoment
  delistRequested: Generated<boolean>
  hiddenAt: MaybeMoment
  hiddenBy: string | null
  hiddenWhy: string | null
  searchText: string
}

export type Database = MessagingTables & {
  account: AccountTable
  creator: { userId: string; works: Generated<number>; sales: Generated<number> }
  holding: {
    token: string
    ownerId: string | null
    wallet: string | null
    position: number
    txHash: string
    movedAt: Moment
  }
  item: ItemTable
  itemHistory: {
    id: Generated<number>
    itemId: string
    what: 'minted' | 'listed' | 'moved' | 'sold'
    happenedAt: Moment
    userId: string | null
    priceCents: number | null
    txHash: string | null
  }
  reservation: {
    orderId: string
    buyerId: string | null
    lines: JSONColumnType<ReservedLine[] | null, string | null, string | null>
    releasedAt: MaybeMoment
    createdAt: Generated<Date>
  }
  marketGeneration: { slot: number; moves: number }
}

export type Account = Selectable<AccountTable>
export type Item = Selectable<ItemTable>
