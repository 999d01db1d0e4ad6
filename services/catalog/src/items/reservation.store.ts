import type { ReservedLine } from '@nifty/api/internal'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Account, Database } from '../db.ts'

/** One order at a time: whoever comes second waits here, and then sees what the first did. */
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

export async function findAccounts(db: Kysely<Database>, ids: (string | null)[]): Promise<Map<string, Account>> {
  const known = ids.filter((id) => id !== null)
  if (known.length === 0) return new Map()
  const accounts = await db.selectFrom('account').selectAll().where('userId', 'in', known).execute()
  return new Map(accounts.map((account) => [account.userId, account]))
}
