import { type Kysely, sql } from 'kysely'
import type { Database, Item, Offer } from '../db.ts'

type Search = {
  orderId?: string | undefined
  itemId?: string | undefined
  accountId?: string | undefined
  state?: Offer['state'] | 'any' | undefined
  after?: string | undefined
}

export type FoundOffer = Offer & Pick<Item, 'contract' | 'identifier' | 'name'>

/** The newest first, at most `limit`; with `after`, those after this offer. Without a state those that are not over. */
export async function findOffers(
  db: Kysely<Database>,
  { orderId, itemId, accountId, state, after }: Search,
  limit: number,
): Promise<FoundOffer[]> {
  return db
    .selectFrom('offer')
    .innerJoin('item', 'item.id', 'offer.itemId')
    .selectAll('offer')
    .select(['item.contract', 'item.identifier', 'item.name'])
    .$if(orderId !== undefined, (query) => query.where('offer.orderId', '=', orderId!))
    .$if(itemId !== undefined, (query) => query.where('offer.itemId', '=', itemId!))
    .$if(accountId !== undefined, (query) =>
      query.where((eb) => eb.or([eb('offer.buyerId', '=', accountId!), eb('offer.ownerId', '=', accountId!)])),
    )
    .$if(state === undefined, (query) => query.where('offer.state', '<>', 'ended'))
    .$if(state !== undefined && state !== 'any', (query) => query.where('offer.state', '=', state as Offer['state']))
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(offer.started_at, offer.order_id) < (select started_at, order_id from offer where order_id = ${after})`,
      ),
    )
    .orderBy('offer.startedAt', 'desc')
    .orderBy('offer.orderId', 'desc')
    .limit(limit)
    .execute()
}
