import { type Insertable, type Kysely, sql, type Transaction } from 'kysely'
import type { Database, Offer } from '../db.ts'

/** Also for a decision under the row lock of the item, without which no offer changes. */
export function findOffer(db: Kysely<Database>, orderId: string): Promise<Offer | undefined> {
  return db.selectFrom('offer').selectAll().where('orderId', '=', orderId).executeTakeFirst()
}

/** Without parameters: the condition of the indexes `offer_living` and `offer_of_buyer`. */
const isLiving = sql<boolean>`state in ('started', 'open')`

/** Whether the account has an offer for the item that is neither accepted nor over. */
export async function hasLivingOffer(
  trx: Transaction<Database>,
  { itemId, buyerId }: { itemId: string; buyerId: string },
): Promise<boolean> {
  const living = trx.selectFrom('offer').select('orderId').where('itemId', '=', itemId).where('buyerId', '=', buyerId)
  return (await living.where(isLiving).executeTakeFirst()) !== undefined
}

export async function addOffer(trx: Transaction<Database>, offer: Insertable<Database['offer']>) {
  await trx.insertInto('offer').values(offer).execute()
}

export async function saveOffer(trx: Transaction<Database>, { orderId, ...offer }: Offer) {
  await trx.updateTable('offer').set(offer).where('orderId', '=', orderId).execute()
}

/** Ends the offers for the item that are neither accepted nor over, of all buyers or of one, and returns them. */
export function endLivingOffers(
  trx: Transaction<Database>,
  { itemId, buyerId, why, endedAt }: { itemId: string; buyerId?: string; why: string; endedAt: Date },
): Promise<Offer[]> {
  return trx
    .updateTable('offer')
    .set({ state: 'ended', why, endedAt })
    .where('itemId', '=', itemId)
    .$if(buyerId !== undefined, (query) => query.where('buyerId', '=', buyerId!))
    .where(isLiving)
    .returningAll()
    .execute()
}

/** Of the open offers for the item: their number and the highest price, cents; null without one. */
export async function openOffersOf(
  db: Kysely<Database>,
  itemId: string,
): Promise<{ count: number; highestCents: number | null }> {
  return db
    .selectFrom('offer')
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.max('priceCents').as('highestCents')])
    .where('itemId', '=', itemId)
    .where(isLiving)
    .where('state', '=', 'open')
    .executeTakeFirstOrThrow()
}

/** An offer whose time is over: `expired` when it was open, `not_held` when its card was not held within an hour. */
export type DueOffer = { orderId: string; why: 'expired' | 'not_held' }

const dueOffers = sql`(
  select order_id, 'expired' as why from offer where state = 'open' and ends_at <= clock_timestamp()
  union all
  select order_id, 'not_held' from offer
  where state = 'started' and started_at <= clock_timestamp() - interval '1 hour'
)`

/** Some of them, in random order. */
export async function findDueOffers(db: Kysely<Database>, limit: number): Promise<DueOffer[]> {
  const { rows } = await sql<DueOffer>`select * from ${dueOffers} due order by random() limit ${limit}`.execute(db)
  return rows
}

/** The number of open offers, and for how long the oldest of those is past its end, seconds; 0 when none is. */
export async function countOpenOffers(db: Kysely<Database>): Promise<{ open: number; overdueSeconds: number }> {
  const { rows } = await sql<{ open: number; overdueSeconds: number }>`
    select count(*) as open,
      coalesce(greatest(0, extract(epoch from clock_timestamp() - min(ends_at))), 0)::float8 as overdue_seconds
    from offer where state = 'open'`.execute(db)
  return rows[0]!
}
