import type { ReservedLine as Reserved } from '@nifty/api/catalog/internal'
import { anyOf } from '@nifty/service-kit/database/database'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database, Line, Order, ReservedLine } from '../db.ts'
import { isInDelivery, type LineState, openStates, pathTo, type Reason } from './line.ts'

export const linesOf = (db: Kysely<Database>, orderId: string): Promise<Line[]> =>
  db.selectFrom('line').selectAll().where('orderId', '=', orderId).orderBy('position').execute()

export const linesOfOrders = (db: Kysely<Database>, orderIds: string[]): Promise<Line[]> =>
  orderIds.length === 0
    ? Promise.resolve([])
    : db.selectFrom('line').selectAll().where('orderId', '=', anyOf(orderIds)).orderBy('position').execute()

export const findLine = (db: Kysely<Database>, id: string): Promise<Line | undefined> =>
  db.selectFrom('line').selectAll().where('id', '=', id).executeTakeFirst()

/** The number of the buyer's works that wait for their payment, in this order and in earlier ones. */
export async function countReservedUntil(
  db: Kysely<Database>,
  { id, buyerId }: Pick<Order, 'id' | 'buyerId'>,
): Promise<number> {
  const { rows } = await sql<{ reserved: number }>`
    select count(*)::int as reserved from orders one
    join orders other on other.buyer_id = one.buyer_id and (other.created_at, other.id) <= (one.created_at, one.id)
    join line on line.order_id = other.id
    where one.id = ${id} and other.buyer_id = ${buyerId} and other.created_at > now() - interval '2 days'
      and state in ('placed', 'awaiting_payment') and not conditional`.execute(db)
  return rows[0]!.reserved
}

type Move = { note?: string; reason?: Reason; txHash?: string; priceCents?: number }

/** Moves a line to another state; a trigger writes the history. Throws when `line.ts` does not allow the transition. */
export async function moveLine(
  trx: Transaction<Database>,
  line: Line,
  to: LineState,
  { note, reason, txHash, priceCents }: Move = {},
): Promise<Line> {
  return trx
    .updateTable('line')
    .set({
      state: to,
      note: note ?? null,
      ...(reason ? { reason } : {}),
      ...(txHash ? { txHash } : {}),
      ...(priceCents ? { priceCents } : {}),
    })
    .where('id', '=', line.id)
    .where('state', '=', line.state)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * Moves a line in delivery to `goal` through the states in between, whose events are late or lost. Never moves it back.
 */
export async function moveInDelivery(
  trx: Transaction<Database>,
  line: Line,
  goal: 'delivering' | 'delivered',
  txHash: string,
) {
  if (!isInDelivery(line)) return
  let current = line
  for (const state of pathTo(line.state, goal) ?? []) current = await moveLine(trx, current, state, { txHash })
}

/**
 * The number of lines in each state that is not final; states without lines are missing. Reads the index `line_open`.
 */
export async function countOpenLines(db: Kysely<Database>): Promise<{ name: LineState; count: number }[]> {
  const { rows } = await sql<{ name: LineState; count: number }>`
    select state as name, count(*)::int as count from line
    where state in (${sql.raw(openStates.map((state) => `'${state}'`).join())}) group by state order by state`.execute(
    db,
  )
  return rows
}

/** Lines that an account has paid. */
export async function countBoughtWorks(db: Kysely<Database>, buyerId: string): Promise<number> {
  const { count } = await db
    .selectFrom('line')
    .innerJoin('orders', 'orders.id', 'line.orderId')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('orders.buyerId', '=', buyerId)
    .where('line.state', '=', 'completed')
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Stores the line's part of the captured amount, cents. */
export async function saveCaptured(trx: Transaction<Database>, lineId: string, capturedCents: number) {
  await trx.updateTable('line').set({ capturedCents }).where('id', '=', lineId).execute()
}

type LineReservation = Omit<Reserved, 'category' | 'sellerUsername'> & { lineId: string; sellerUsername: string | null }

/**
 * Stores catalog's descriptions of all items of an order. From here on the unique index `line_live` covers the lines.
 * Returns false, and stores none, when another order has one of the items: catalog may free an item before payments
 * closes its order. An offer or a bid has nothing until it is decided.
 */
export async function saveReservedLines(
  trx: Transaction<Database>,
  orderId: string,
  reserved: LineReservation[],
): Promise<boolean> {
  const { rows } = await sql`
    update line set contract = reserved.contract, identifier = reserved.identifier, name = reserved.name,
      image = reserved.image, seller_id = reserved."sellerId", seller_username = reserved."sellerUsername",
      creator_id = reserved."creatorId", royalty_bps = reserved."royaltyBps", listing_version = reserved."listingVersion"
    from jsonb_to_recordset(${JSON.stringify(reserved)}::jsonb) as reserved (
      "lineId" uuid, contract text, identifier text, name text, image text, "sellerId" uuid, "sellerUsername" text,
      "creatorId" uuid, "royaltyBps" int, "listingVersion" int)
    where line.order_id = ${orderId} and line.id = reserved."lineId" and (line.conditional or not exists (
      select from line other
      where other.item_id = ${anyOf(reserved.map(({ itemId }) => itemId))} and other.order_id <> ${orderId}
        and other.seller_id is not null and (other.state in ('authorised', 'delivering')
          or (not other.conditional and other.state in ('placed', 'awaiting_payment')))))
    returning line.id`.execute(trx)
  return rows.length === reserved.length
}

/** Narrows the type of a line that catalog has reserved. Throws for one that is not. */
export function reservedLine(line: Line): ReservedLine {
  if (line.sellerId === null) throw new Error(`line ${line.id} is not reserved`)
  return line as ReservedLine
}

/** Erases the name of a deleted account from its sales; the sales stay. */
export async function eraseSellerName(trx: Transaction<Database>, sellerId: string) {
  await trx.updateTable('line').set({ sellerUsername: null }).where('sellerId', '=', sellerId).execute()
}
