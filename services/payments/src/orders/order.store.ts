import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database, Order } from '../db.ts'
import type { Stop } from './order.ts'

/** An order under lock, with the database's time at that moment. */
export type LockedOrder = Order & { now: Date }

const nowColumn = sql<Date>`now()`.as('now')

/** Locks one order. `no key update` leaves rows that refer to it free to be inserted. */
export function lockOrder(trx: Transaction<Database>, id: string): Promise<LockedOrder | undefined> {
  return trx.selectFrom('orders').selectAll().select(nowColumn).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

/** Locks the order that waits longest for a look; another worker's is passed over. */
export function lockDueOrder(trx: Transaction<Database>): Promise<LockedOrder | undefined> {
  return trx
    .selectFrom('orders')
    .selectAll()
    .select(nowColumn)
    .where('lookAt', '<=', sql<Date>`now()`)
    .orderBy('lookAt')
    .limit(1)
    .forNoKeyUpdate()
    .skipLocked()
    .executeTakeFirst()
}

export const findOrder = (db: Kysely<Database>, id: string): Promise<Order | undefined> =>
  db.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirst()

export const ordersOfBuyer = (db: Kysely<Database>, buyerId: string, limit: number): Promise<Order[]> =>
  db
    .selectFrom('orders')
    .selectAll()
    .where('buyerId', '=', buyerId)
    // A start that catalog refused is no order to its buyer.
    .where((eb) =>
      eb.exists(
        eb.selectFrom('line').select('id').whereRef('orderId', '=', 'orders.id').where('sellerId', 'is not', null),
      ),
    )
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()

type Changes = Partial<
  Pick<
    Order,
    | 'sessionId'
    | 'sessionUrl'
    | 'intentId'
    | 'money'
    | 'heldCents'
    | 'authorisedAt'
    | 'deliverBy'
    | 'captureCents'
    | 'captureAttempt'
    | 'captureAskedAt'
    | 'capturedCents'
    | 'stop'
  >
>

export async function changeOrder(trx: Transaction<Database>, id: string, changes: Changes) {
  await trx.updateTable('orders').set(changes).where('id', '=', id).execute()
}

const inMs = (ms: number) => sql<Date>`now() + make_interval(secs => ${ms / 1000})`

/** Notes that a look was had: the next one is due in `pauseMs`, or never by itself (null). */
export async function restOrder(trx: Transaction<Database>, id: string, pauseMs: number | null) {
  await trx
    .updateTable('orders')
    .set({ lookAt: pauseMs === null ? null : inMs(pauseMs), failures: 0 })
    .where('id', '=', id)
    .execute()
}

/** The worker looks as soon as it can. */
export async function wakeOrder(db: Kysely<Database>, id: string) {
  await db.updateTable('orders').set({ lookAt: sql<Date>`now()` }).where('id', '=', id).execute()
}

/** After a failed look, the next one follows later each time: 1 s to 1 min. */
export async function postponeOrder(db: Kysely<Database>, id: string) {
  await db
    .updateTable('orders')
    .set({
      failures: sql`failures + 1`,
      lookAt: sql<Date>`now() + make_interval(secs => least(power(2, least(failures, 10)), 60))`,
    })
    .where('id', '=', id)
    .execute()
}

export async function wishStop(trx: Transaction<Database>, id: string, stop: Stop | null) {
  await trx.updateTable('orders').set({ stop }).where('id', '=', id).execute()
}

/** The processor's parameters, exactly as they will be sent, before they are sent. */
export async function storeSessionRequest(trx: Transaction<Database>, orderId: string, request: object) {
  await trx
    .updateTable('orders')
    .set({ sessionRequest: JSON.stringify(request), sessionAskedAt: sql<Date>`now()` })
    .where('id', '=', orderId)
    .execute()
}

export async function isDisputed(trx: Transaction<Database>, orderId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('dispute')
    .select('id')
    .where('orderId', '=', orderId)
    .where('kind', '=', 'dispute')
    .executeTakeFirst()
  return row !== undefined
}
