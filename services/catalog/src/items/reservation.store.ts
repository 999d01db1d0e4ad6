import type { HeldReservation, ReservedLine } from '@nifty/api/catalog/internal'
import { anyOf } from '@nifty/service-kit/database/database'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database, Item } from '../db.ts'
import type { Seller } from './item.ts'

/** Inserts the order's row if it is missing and locks it: requests for one order run one after the other. */
export async function lockReservation(trx: Transaction<Database>, orderId: string) {
  return (
    trx
      .insertInto('reservation')
      .values({ orderId, lines: null })
      // An update without a change: it locks the row, and returns it as it is then.
      .onConflict((conflict) => conflict.column('orderId').doUpdateSet({ orderId }))
      .returningAll()
      .executeTakeFirstOrThrow()
  )
}

export type StoredReservation = Pick<Awaited<ReturnType<typeof lockReservation>>, 'buyerId' | 'lines' | 'releasedAt'>

/**
 * Without locks, in one statement: items, each with its owner's account, and what the order has reserved before.
 * Unknown items are missing.
 */
export const findItemsToReserve = (
  db: Kysely<Database>,
  { orderId, itemIds }: { orderId: string; itemIds: string[] },
) =>
  db
    .selectFrom('item')
    .selectAll()
    .select(
      sql<NonNullable<Seller> | null>`(
        select json_build_object('wallet', wallet, 'admin', admin, 'suspended', suspended, 'deletedAt', deleted_at)
        from account where user_id = item.owner_id)`.as('seller'),
    )
    .select(
      sql<StoredReservation | null>`(
        select json_build_object('buyerId', buyer_id, 'lines', lines, 'releasedAt', released_at)
        from reservation where order_id = ${orderId})`.as('stored'),
    )
    .where('id', '=', anyOf(itemIds))
    .execute()

/** Stores that an order has reserved these items, and its lines, in one statement. */
export async function saveReservation(
  trx: Transaction<Database>,
  { orderId, buyerId, lines }: { orderId: string; buyerId: string; lines: ReservedLine[] },
  items: Item[],
) {
  const changed = items.map(({ id, reservedBy, reservedCents, reservedUntil, reservedSeller }) => ({
    id,
    reservedBy,
    reservedCents,
    reservedUntil,
    reservedSeller,
  }))
  await sql`
    with reserved as (
      update item set reserved_order = ${orderId}, reserved_by = changed."reservedBy",
        reserved_cents = changed."reservedCents", reserved_until = changed."reservedUntil",
        reserved_seller = changed."reservedSeller", delist_requested = false
      from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as changed (
        id uuid, "reservedBy" uuid, "reservedCents" int, "reservedUntil" timestamptz, "reservedSeller" uuid)
      where item.id = any(${changed.map(({ id }) => id)}) and item.id = changed.id)
    update reservation set buyer_id = ${buyerId}, lines = ${JSON.stringify(lines)} where order_id = ${orderId}`.execute(
    trx,
  )
}

export async function markReleased(trx: Transaction<Database>, orderId: string) {
  await trx
    .updateTable('reservation')
    .set({ releasedAt: sql<Date>`coalesce(released_at, now())` })
    .where('orderId', '=', orderId)
    .execute()
}

export const RESERVATIONS_PAGE = 500

const reservations = (db: Kysely<Database>) =>
  db.selectFrom('item').select(['id', 'reservedOrder', 'reservedUntil']).where('reservedOrder', 'is not', null)

type Row = Pick<Item, 'id' | 'reservedOrder' | 'reservedUntil'>

const view = ({ id, reservedOrder, reservedUntil }: Row): HeldReservation => ({
  itemId: id,
  orderId: reservedOrder!,
  until: reservedUntil!.toISOString(),
})

/** Of the items after one, by id: those whose reservation's time ended ten minutes ago or earlier. */
export async function overdueReservations(db: Kysely<Database>, after: string | null): Promise<HeldReservation[]> {
  const rows = await reservations(db)
    .where('reservedUntil', '<', sql<Date>`now() - interval '10 minutes'`)
    .$if(after !== null, (query) => query.where('id', '>', after!))
    .orderBy('id')
    .limit(RESERVATIONS_PAGE)
    .execute()
  return rows.map(view)
}

export async function findReservations(db: Kysely<Database>, itemIds: string[]): Promise<HeldReservation[]> {
  if (itemIds.length === 0) return []
  return (await reservations(db).where('id', '=', anyOf(itemIds)).execute()).map(view)
}
