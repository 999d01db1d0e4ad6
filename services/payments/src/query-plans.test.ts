import { randomUUID } from 'node:crypto'
import { type Kysely, sql, type Transaction } from 'kysely'
import { expect, test } from 'vitest'
import { accountEntries, bookedMonths, markUnpaid, unpaidSums } from './books/book.store.ts'
import { entriesOfMonth } from './books/month-entries.store.ts'
import { unpaidShares } from './books/paid-lines.ts'
import { erasePayees, findPayees, keepPayee } from './books/payee.store.ts'
import { owedAccounts, paidOutCents, paidPayouts } from './books/payout.actions.ts'
import type { Database } from './db.ts'
import { openOrders, orderHistory, recentAlarms } from './ops/order.store.ts'
import { findOrders } from './ops/order-search.store.ts'
import { countOpenLines, linesOf } from './orders/line.store.ts'
import { findOrder, lockDueOrder, wakeIdleBids } from './orders/order.store.ts'
import { findOrderDetails, ordersOfBuyer } from './orders/order-details.store.ts'
import { storedFacts } from './reconciliation/order-facts.store.ts'
import { startTestPayments } from './testing/payments.ts'
import { givenOpenOrder } from './testing/sale.ts'

const payments = await startTestPayments({ manual: true })
const { orderId, buyer } = await givenOpenOrder(payments)
const order = (await findOrder(payments.db, orderId))!
const { userId } = buyer
const holdMs = 0
const payee = { userId, firstName: 'Ada', username: 'ada', email: 'ada@example.test', deletedAt: new Date() }

/** Tables that grow with the number of sales. */
const growing = [
  'orders',
  'line',
  'line_history',
  'book_entry',
  'payout',
  'refund',
  'reversal',
  'stripe_inbox',
  'payee',
]

/**
 * Growing tables that these queries read from start to end although the planner was told to avoid it: without an index.
 */
async function scannedTables(db: Kysely<Database>, run: (trx: Transaction<Database>) => Promise<unknown>) {
  const read = db.transaction().execute(async (trx) => {
    await sql`set local enable_seqscan = off`.execute(trx)
    await run(trx)
    const { rows } = await sql<{ name: string }>`
      select relname as name from pg_stat_xact_user_tables where seq_scan > 0`.execute(trx)
    return rows.map(({ name }) => name).filter((name) => growing.includes(name))
  })
  return read
}

test.each<[string, (trx: Transaction<Database>) => Promise<unknown>]>([
  ['unpaid sums of all accounts', (trx) => unpaidSums(trx, { holdMs })],
  ['unpaid sums of one account', (trx) => unpaidSums(trx, { holdMs, userId })],
  ['the unpaid entries of an account', (trx) => accountEntries(trx, { holdMs, userId, unpaidOnly: true })],
  ['a month of a statement', (trx) => accountEntries(trx, { holdMs, userId, month: '2026-11' })],
  ['the months of a statement', (trx) => bookedMonths(trx, userId)],
  ['what was paid out to an account', (trx) => paidOutCents(trx, userId)],
  ['unpaid shares of an account', (trx) => unpaidShares(trx, { holdMs, userId, after: 1, limit: 10 })],
  ['owed accounts', (trx) => owedAccounts(trx, { holdMs })],
  ['what a returned payout paid', (trx) => markUnpaid(trx, randomUUID())],
  ['payouts', (trx) => paidPayouts(trx)],
  ['keeping a payee', (trx) => keepPayee(trx, payee)],
  ['erasing payees', (trx) => erasePayees(trx, [userId, randomUUID()])],
  ['finding payees', (trx) => findPayees(trx, [userId])],
  ['open orders', (trx) => openOrders(trx)],
  ['open lines by state', (trx) => countOpenLines(trx)],
  ['the next due order', (trx) => lockDueOrder(trx, 'work')],
  ['offers without a next run', (trx) => wakeIdleBids(trx)],
  ['lines of an order', (trx) => linesOf(trx, orderId)],
  ['an order with its lines and their history', (trx) => findOrderDetails(trx, orderId)],
  ['orders of a buyer', (trx) => ordersOfBuyer(trx, userId, { limit: 50 })],
  ['offers of a buyer', (trx) => ordersOfBuyer(trx, userId, { limit: 50, kind: 'offers' })],
  ['the history of an order', (trx) => orderHistory(trx, order)],
  ['recent alarms', (trx) => recentAlarms(trx)],
  ['the newest orders', (trx) => findOrders(trx, {}, 51)],
  ['orders of a number', (trx) => findOrders(trx, { order: 'D3EA7C40' }, 51)],
  ['orders of a session', (trx) => findOrders(trx, { payment: 'cs_1' }, 51)],
  ['orders of a payment', (trx) => findOrders(trx, { payment: 'pi_1' }, 51)],
  ['orders of a transaction', (trx) => findOrders(trx, { transaction: `0x${'ab'.repeat(32)}` }, 51)],
  ['orders of a work', (trx) => findOrders(trx, { itemId: randomUUID() }, 51)],
  ['orders of a token', (trx) => findOrders(trx, { token: `0x${'ab'.repeat(20)}/1` }, 51)],
  ['orders of accounts', (trx) => findOrders(trx, { accountIds: [userId] }, 51)],
  ['disputed orders of a day', (trx) => findOrders(trx, { state: 'disputed', since: '2026-01-01T00:00:00Z' }, 51)],
  ['orders that await their capture', (trx) => findOrders(trx, { state: 'capture_due' }, 51)],
  ['the entries of a month', (trx) => entriesOfMonth(trx, '2026-11', { after: undefined, limit: 10 })],
  ['stored facts of orders', (trx) => storedFacts(trx, [orderId])],
])('%s: no table that grows is scanned', async (_what, run) => {
  expect(await scannedTables(payments.db, run)).toEqual([])
})
