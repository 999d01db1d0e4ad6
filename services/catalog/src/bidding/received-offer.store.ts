import type { ReceivedOffer } from '@nifty/api/catalog/offers'
import { toEuros } from '@nifty/api/shapes'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db.ts'
import { royaltyBpsOf } from '../items/item.ts'
import { openedAtOf } from '../offers/offer.ts'

const MAX_RECEIVED = 500

const received = (db: Kysely<Database>) =>
  db
    .selectFrom('offer')
    .innerJoin('item', 'item.id', 'offer.itemId')
    .leftJoin('account as buyer', 'buyer.userId', 'offer.buyerId')
    .leftJoin('account as creator', 'creator.userId', 'item.creatorId')
    .select(['offer.orderId', 'offer.itemId', 'offer.ownerId', 'offer.priceCents', 'offer.days'])
    .select(['item.contract', 'item.identifier', 'item.name', 'item.image', 'item.creatorId', 'item.royaltyBps'])
    .select(['buyer.username as buyerUsername', 'creator.deletedAt', 'item.reservedOrder'])
    // A constraint of the table: neither is without an end.
    .select([sql<Date>`offer.ends_at`.as('endsAt'), sql<ReceivedOffer['state']>`offer.state`.as('state')])
    .where('offer.state', 'in', ['open', 'accepted'])

type Row = Awaited<ReturnType<ReturnType<typeof received>['execute']>>[number]

const view = (row: Row): ReceivedOffer => ({
  orderId: row.orderId,
  itemId: row.itemId,
  contract: row.contract,
  identifier: row.identifier,
  name: row.name,
  image: row.image,
  price: toEuros(row.priceCents),
  royaltyPercent: row.creatorId === row.ownerId ? 0 : royaltyBpsOf(row, row) / 100,
  buyerUsername: row.buyerUsername,
  at: openedAtOf(row, row.endsAt).toISOString(),
  endsAt: row.endsAt.toISOString(),
  state: row.state,
  reserved: row.reservedOrder !== null && row.reservedOrder !== row.orderId,
})

/** Open and accepted offers for works of an account: by work, the highest first. */
export async function receivedOffers(db: Kysely<Database>, ownerId: string): Promise<ReceivedOffer[]> {
  const rows = await received(db)
    .where('offer.ownerId', '=', ownerId)
    .orderBy('item.shownAt', 'desc')
    .orderBy('item.id', 'desc')
    .orderBy('offer.priceCents', 'desc')
    .orderBy('offer.endsAt')
    .limit(MAX_RECEIVED)
    .execute()
  return rows.map(view)
}

/** An open or accepted offer. */
export async function receivedOffer(db: Kysely<Database>, orderId: string): Promise<ReceivedOffer | undefined> {
  const row = await received(db).where('offer.orderId', '=', orderId).executeTakeFirst()
  return row && view(row)
}
