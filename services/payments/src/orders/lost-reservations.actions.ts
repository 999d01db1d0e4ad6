import { randomUUID } from 'node:crypto'
import { findReservations, type HeldReservation, listOverdueReservations } from '@nifty/api/catalog/internal'
import { orderLineAbandoned } from '@nifty/events/payments'
import { conflict, notFound } from '@nifty/service-kit/base/errors'
import { publishEvent } from '@nifty/service-kit/messaging/outbox'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { type LineState, openStates } from './line.ts'
import type { StepDeps } from './run-step.ts'

/** The line of a reservation; `state` is null when this database does not have it. */
export type ReservedFor = HeldReservation & { lineId: string | null; state: LineState | null }

/** Nothing holds the work: the line is released, or its order was lost before it had a payment page. */
const isLost = ({ state }: ReservedFor) => state === null || state === 'released'

/** Reservations whose line is not open, each with its line. */
export async function withoutOpenLine(db: Kysely<Database>, reservations: HeldReservation[]): Promise<ReservedFor[]> {
  if (reservations.length === 0) return []
  const { rows } = await sql<Pick<ReservedFor, 'itemId' | 'orderId' | 'lineId' | 'state'>>`
    select held."itemId" as item_id, held."orderId" as order_id, line.id as line_id, line.state
    from jsonb_to_recordset(${JSON.stringify(reservations)}::jsonb) as held ("itemId" uuid, "orderId" uuid)
    left join line on line.order_id = held."orderId" and line.item_id = held."itemId"`.execute(db)
  const found = new Map(rows.map((row) => [row.itemId, row]))
  return reservations
    .map((reservation) => ({ ...reservation, ...found.get(reservation.itemId)! }))
    .filter(({ state }) => state === null || !openStates.includes(state))
}

/**
 * Frees works that catalog has reserved for orders that this database does not have, or has released: it was restored,
 * or an event was lost. The caller has rebuilt the orders that the processor has sessions of. Idempotent.
 */
export async function freeLostReservations({ longPool, catalog, log }: Pick<StepDeps, 'longPool' | 'catalog' | 'log'>) {
  for (let after: string | null | undefined; after !== null; ) {
    const page: { reservations: HeldReservation[]; next: string | null } = await catalog(listOverdueReservations, {
      query: after ? { after } : {},
    })
    const lost = (await withoutOpenLine(longPool, page.reservations)).filter(isLost)
    await longPool.transaction().execute(async (trx) => {
      for (const reservation of lost) await free(trx, reservation)
    })
    for (const { itemId, orderId } of lost)
      log.warn({ itemId, orderId }, 'orders: freeing a work that was reserved for an order that is not open')
    after = page.next
  }
}

const free = (trx: Transaction<Database>, { orderId, itemId, lineId }: ReservedFor) =>
  publishEvent(trx, orderLineAbandoned, {
    orderId,
    itemId,
    lineId: lineId ?? randomUUID(),
    at: new Date().toISOString(),
  })

/** The order for which catalog has reserved a work. Throws 404 `not_reserved`. */
export async function findReservation(
  { catalog }: Pick<StepDeps, 'catalog'>,
  itemId: string,
): Promise<HeldReservation> {
  const { reservations } = await catalog(findReservations, { body: { itemIds: [itemId] } })
  if (reservations.length === 0) throw notFound('not_reserved', 'This work is not reserved')
  return reservations[0]!
}

/**
 * Frees one work. The caller has rebuilt the orders that the processor has sessions of. Throws 409 `item_in_order`
 * while its order is open or has sold it.
 */
export async function freeItem(trx: Transaction<Database>, reservation: HeldReservation) {
  const [reserved] = await withoutOpenLine(trx, [reservation])
  if (!reserved || !isLost(reserved))
    throw conflict('item_in_order', `Order ${reservation.orderId} of this work is ${reserved?.state ?? 'open'}`)
  await free(trx, reserved)
  return reserved
}
