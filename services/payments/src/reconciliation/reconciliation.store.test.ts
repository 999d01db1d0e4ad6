import { randomUUID } from 'node:crypto'
import { waitForBlockedQuery } from '@nifty/service-kit/testing/blocked-query'
import { sql, type Transaction } from 'kysely'
import { expect, test } from 'vitest'
import type { Database, Order } from '../db.ts'
import { findOrder, lockOrder } from '../orders/order.store.ts'
import { startTestPayments } from '../testing/payments.ts'
import { wallet } from '../testing/peers.ts'
import { markReconciled, markUnreconciled } from './reconciliation.store.ts'

const low = '00000000-0000-4000-8000-000000000000'
const high = 'ffffffff-ffff-4fff-bfff-ffffffffffff'

const marks = {
  agree: markReconciled,
  differ: async (trx: Transaction<Database>, orders: Order[]): Promise<unknown> =>
    markUnreconciled(
      trx,
      orders.map(({ id }) => id),
    ),
}

test.each(['agree', 'differ'] as const)(
  'marking orders that %s waits for whoever locks them by their ids',
  async (how) => {
    const { db } = await startTestPayments({ manual: true })
    for (const id of [high, low])
      await sql`insert into orders (id, buyer_id, wallet, terms_version, total_cents, commission_bps, expires_at)
      values (${id}, ${randomUUID()}, ${wallet}, 'v1', 5000, 1000, now())`.execute(db)
    const orders = [(await findOrder(db, high))!, (await findOrder(db, low))!]
    const other = await db.startTransaction().execute()
    await lockOrder(other, low)

    const marked = db.transaction().execute<unknown>((trx) => marks[how](trx, orders))
    await waitForBlockedQuery(db)
    await lockOrder(other, high)
    await other.commit().execute()

    await marked
    const [before, after] = [orders[0]!, (await findOrder(db, high))!]
    expect(after.unreconciledChanges).toBe(how === 'agree' ? 0 : before.unreconciledChanges + 1)
  },
)
