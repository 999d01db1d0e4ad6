import { getOrderHistory, refundLine } from '@nifty/api/payments/ops'
import { assignReversal, listPayouts, recordPayout, returnPayout } from '@nifty/api/payments/ops-money'
import { accountDeleted } from '@nifty/events/auth'
import { listOperatorActions } from '@nifty/service-kit/database/operator-audit'
import { messageOf } from '@nifty/service-kit/testing/events'
import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Database } from '../db.ts'
import { startTestPayments } from '../testing/payments.ts'
import { reconcile } from '../testing/reconciliation.ts'
import { givenCompletedOrder, waitForLines } from '../testing/sale.ts'
import { eraseSettledPayees } from './payee.store.ts'
import { owedAccounts, payOut } from './payout.actions.ts'

const operatorAction = { reason: 'a test' }
const DAY_MS = 86_400_000

async function given() {
  const payments = await startTestPayments()
  const ops = payments.internal
  const seller = payments.peers.givenBuyer()
  const { userId } = seller
  return {
    payments,
    ops,
    seller,
    userId,
    sell: (priceCents = 12_000) =>
      givenCompletedOrder(payments, {
        items: [payments.peers.givenItem({ sellerId: userId, creatorId: userId, priceCents })],
      }),
    owed: async () => (await ops(listPayouts)).due.find((account) => account.userId === userId),
    pay: (amount: number) =>
      ops(recordPayout, { body: { payoutId: crypto.randomUUID(), userId, amount, ...operatorAction } }),
    statement: async () =>
      (await payments.app.inject({ method: 'GET', url: '/api/orders/statement', headers: seller.headers })).json(),
  }
}

test('shares wait for the hold-back period, and pay-out refuses them until then', async () => {
  const payments = await startTestPayments({ env: { PAYOUT_HOLD_DAYS: '14' } })
  const order = await givenCompletedOrder(payments)
  const userId = order.lines[0]!.sellerId!
  const { due } = await payments.internal(listPayouts)
  expect(due).toMatchObject([{ userId, due: 0, waiting: 108, heldBack: 0 }])
  const body = { payoutId: crypto.randomUUID(), userId, amount: 108, ...operatorAction }
  await expect(payments.internal(recordPayout, { body })).rejects.toMatchObject({ code: 'amount_differs' })

  expect(await owedAccounts(payments.db, { holdMs: 13 * DAY_MS })).toMatchObject([
    { dueCents: 0, waitingCents: 10_800 },
  ])
  expect(await owedAccounts(payments.db, { holdMs: 0 })).toMatchObject([{ dueCents: 10_800, waitingCents: 0 }])
})

test('a refunded line is not paid out', async () => {
  const { payments, ops, sell, owed, pay } = await given()
  const order = await sell()
  await ops(refundLine, { body: { lineId: order.lines[0]!.id, ...operatorAction } })
  await waitForLines(payments, order.orderId, 'refunded')
  expect(await owed()).toMatchObject({ due: 0, heldBack: 108 })
  await expect(pay(108)).rejects.toMatchObject({ code: 'amount_differs' })
})

test('a payout before a dispute is carried as a negative balance, until the next sale makes up for it', async () => {
  const { payments, ops, sell, owed, pay, statement } = await given()
  const first = await sell()
  await pay(108)
  await payments.sandbox.dispute(first.intentId)
  await waitForLines(payments, first.orderId, 'disputed')
  expect(await owed()).toBeUndefined()

  const { reversals } = await ops(getOrderHistory, { params: { id: first.orderId } })
  await ops(assignReversal, { body: { reversalId: reversals[0]!.id, borneBy: 'seller', ...operatorAction } })
  expect(await owed()).toMatchObject({ due: -108 })
  expect(await statement()).toMatchObject({
    due: -108,
    paidOut: 108,
    entries: [
      { kind: 'sale', cause: 'assignment', due: -108, status: 'due' },
      { kind: 'sale', cause: 'capture', due: 108, status: 'paid' },
    ],
  })
  await expect(pay(-108)).rejects.toMatchObject({ code: 'amount_differs' })

  await sell(20_000)
  expect(await owed()).toMatchObject({ due: 72 })
  await expect(pay(180)).rejects.toMatchObject({ code: 'amount_differs' })
  await pay(72)
  expect(await owed()).toBeUndefined()
})

test('a payout waits for another one of the same account, and then finds nothing due', async () => {
  const { payments, sell, userId } = await given()
  await sell()
  const { db } = payments
  const payment = { userId, amountCents: 10_800, holdMs: 0, operator: 'ada', ...operatorAction }
  const gate = Promise.withResolvers<void>()
  const isPaid = Promise.withResolvers<void>()
  const first = db.transaction().execute(async (trx) => {
    await payOut(trx, { ...payment, payoutId: crypto.randomUUID() })
    isPaid.resolve()
    await gate.promise
  })
  await isPaid.promise
  const second = db.transaction().execute((trx) => payOut(trx, { ...payment, payoutId: crypto.randomUUID() }))
  second.catch(() => undefined)
  const waiting = sql<{ count: number }>`
    select count(*)::int as count from pg_locks join pg_database on pg_database.oid = database
    where datname = current_database() and locktype = 'advisory' and not granted`
  await expect
    .poll(async () => (await waiting.execute(db)).rows[0]!.count)
    .toBeGreaterThan(0)
    .finally(gate.resolve)
  await first
  await expect(second).rejects.toMatchObject({ code: 'amount_differs' })
  expect(await db.selectFrom('payout').selectAll().execute()).toHaveLength(1)
})

test('book entries are neither changed nor deleted, and paid out once', async () => {
  const { payments, sell, pay, userId } = await given()
  const order = await sell()
  const { db } = payments
  const refused = (change: Record<string, unknown>) =>
    expect(db.updateTable('bookEntry').set(change).execute()).rejects.toThrow('append-only')
  await refused({ amountCents: 1 })
  await refused({ userId: crypto.randomUUID() })
  await refused({ cause: 'write_off' })
  await expect(db.deleteFrom('bookEntry').execute()).rejects.toThrow('append-only')
  await expect(sql`truncate book_entry`.execute(db)).rejects.toThrow('append-only')

  await pay(108)
  const paid = db.updateTable('bookEntry').set({ payoutId: null }).where('userId', '=', userId)
  await expect(paid.execute()).rejects.toThrow('append-only')
  const opening = {
    kind: 'sale',
    cause: 'capture',
    userId,
    amountCents: 10_800,
    reversalId: null,
    payoutId: null,
  } as const
  const twice = db.insertInto('bookEntry').values({ ...opening, lineId: order.lines[0]!.id })
  await expect(twice.execute()).rejects.toThrow('book_entry_opening')
})

test('a deleted account that is owed money stays payable until the bank cannot return its payout any more', async () => {
  const { payments, sell, owed, pay, userId } = await given()
  await sell()
  const person = { username: '@cleo', email: 'cleo@example.com', firstName: 'Cleo', at: new Date().toISOString() }
  const stranger = { ...person, userId: crypto.randomUUID(), email: 'dan@example.com' }
  await payments.consume(messageOf(accountDeleted, { ...person, userId }))
  await payments.consume(messageOf(accountDeleted, stranger))

  expect(await owed()).toMatchObject({ username: '@cleo', payee: { firstName: 'Cleo', email: 'cleo@example.com' } })
  expect(await payments.db.selectFrom('payee').select('userId').execute()).toEqual([{ userId }])
  await pay(108)
  await eraseSettledPayees(payments.db)
  expect(await payments.db.selectFrom('payee').select('userId').execute()).toEqual([{ userId }])
  await payments.db.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx)
    await sql`update payout set at = at - interval '31 days'`.execute(trx)
  })
  await eraseSettledPayees(payments.db)
  expect(await payments.db.selectFrom('payee').selectAll().execute()).toEqual([])
})

test('a payout id is not recorded for another amount', async () => {
  const { ops, sell, userId } = await given()
  const body = { payoutId: crypto.randomUUID(), userId, amount: 108, ...operatorAction }
  await sell()
  await ops(recordPayout, { body })
  await sell(20_000)
  expect(await ops(recordPayout, { body })).toMatchObject({ amount: 108 })
  const other = ops(recordPayout, { body: { ...body, amount: 180 } })
  await expect(other).rejects.toMatchObject({ statusCode: 409, code: 'payout_differs' })
})

test('a payout that the bank sent back is owed again, and is paid under another id', async () => {
  const { payments, ops, sell, owed, pay, statement, userId } = await given()
  await sell()
  const { payoutId } = await pay(108)
  const back = () => ops(returnPayout, { body: { payoutId, ...operatorAction } })
  expect(await back()).toEqual({ payoutId, userId, amount: 108 })
  expect((await listOperatorActions(payments.db, [userId])).at(-1)).toMatchObject({
    action: 'payout returned',
    ...operatorAction,
  })
  expect(await back()).toEqual({ payoutId, userId, amount: 108 })

  expect(await owed()).toMatchObject({ due: 108 })
  expect(await statement()).toMatchObject({ due: 108, paidOut: 0 })
  expect((await ops(listPayouts)).paid).toMatchObject([{ payoutId, returnedAt: expect.any(String) }])
  const again = ops(recordPayout, { body: { payoutId, userId, amount: 108, ...operatorAction } })
  await expect(again).rejects.toMatchObject({ statusCode: 409, code: 'payout_returned' })
  await pay(108)
  await expect(back()).resolves.toMatchObject({ amount: 108 })
  expect(await owed()).toBeUndefined()
  expect((await reconcile(payments)).differences).toEqual([])
  const unknown = ops(returnPayout, { body: { payoutId: crypto.randomUUID(), ...operatorAction } })
  await expect(unknown).rejects.toMatchObject({ statusCode: 404, code: 'payout_not_found' })
})

test('a payout may be larger than 32 bits of cents', async () => {
  const { payments, sell, owed, pay } = await given()
  await sell(99_999_999)
  await repeatSale(payments.db, 24)
  const { due } = (await owed())!
  expect(due).toBe(22_499_999.75)
  expect(await pay(due)).toMatchObject({ amount: due })
  expect(await owed()).toBeUndefined()
})

test('a suspended seller is marked among those who are owed money', async () => {
  const { payments, sell, owed, userId } = await given()
  await sell()
  expect(await owed()).toMatchObject({ due: 108, suspended: false })
  payments.peers.accounts.get(userId)!.suspended = true
  expect(await owed()).toMatchObject({ due: 108, suspended: true })
})

/** Copies the only sale of the database, with its books. */
const repeatSale = (db: Kysely<Database>, times: number) =>
  sql`
    with copy as (select gen_random_uuid() as id from generate_series(1, ${times})), sold as (
      insert into line (id, order_id, position, buyer_id, item_id, price_cents, contract, identifier, name, image,
        seller_id, creator_id, royalty_bps)
      select copy.id, order_id, position, buyer_id, gen_random_uuid(), price_cents, contract, identifier, name, image,
        seller_id, creator_id, royalty_bps from line, copy
      returning id)
    insert into book_entry (line_id, kind, user_id, amount_cents, cause)
    select sold.id, kind, user_id, amount_cents, cause from book_entry, sold`.execute(db)
