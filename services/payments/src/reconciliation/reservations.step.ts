import { type HeldReservation, listOverdueReservations } from '@nifty/api/catalog/internal'
import type { Kysely } from 'kysely'
import type { Database } from '../db.ts'
import { withoutOpenLine } from '../orders/lost-reservations.actions.ts'
import { saveDifferences } from './reconciliation.store.ts'
import type { Difference } from './reconciliation.ts'
import type { ReconciliationStep } from './reconciliation-step.ts'

/** Compares catalog's reservations that are older than their time with the lines. */
export const reservations: ReconciliationStep = async ({ trx, run, catalog }) => {
  const query = run.cursor === null ? {} : { after: run.cursor }
  const page = await catalog(listOverdueReservations, { query })
  await saveDifferences(trx, await reservationDifferences(trx, page.reservations))
  return { cursor: page.next, compared: page.reservations.length }
}

export async function reservationDifferences(db: Kysely<Database>, held: HeldReservation[]): Promise<Difference[]> {
  return (await withoutOpenLine(db, held)).map(({ itemId, orderId, state }) => ({
    kind: 'reservation',
    subject: itemId,
    orderId,
    intentId: null,
    detail: state ? `is reserved by an order that is ${state}` : 'is reserved by an order that payments does not have',
  }))
}
