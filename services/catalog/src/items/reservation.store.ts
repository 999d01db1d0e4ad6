import type { ReservedLine } from '@nifty/api/catalog/internal'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'

/** Inserts the order's row if it is missing and locks it: requests for one order run one after the other. */
export async function lockReservation(trx: Transaction<Database>, orderId: string) {
  await trx
    .insertInto('reservation')
    .values({ orderId, lines: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return trx.selectFrom('reservation').selectAll().where('orderId', '=', orderId).forUpdate().executeTakeFirstOrThrow()
}

export function findReservation(db: Kysely<Database>, orderId: string) {
  return db.selectFrom('reservation').selectAll().where('orderId', '=', orderId).executeTakeFirst()
}

export async function saveLines(
  trx: Transaction<Database>,
  { orderId, buyerId, lines }: { orderId: string; buyerId: string; lines: ReservedLine[] },
) {
  await trx
    .updateTable('reservation')
    .set({ buyerId, lines: JSON.stringify(lines) })
    .where('orderId', '=', orderId)
    .execute()
}

export async function markReleased(trx: Transaction<Database>, orderId: string) {
  await trx
    .updateTable('reservation')
    .set({ releasedAt: sql<Date>`coalesce(released_at, now())` })
    .where('orderId', '=', orderId)
    .execute()
}
