import { lineStates } from '@nifty/api/payments/line-states'
import { expect, test } from 'vitest'
import { startTestPayments } from '../testing/payments.ts'
import { givenOpenOrder, givenPaidOrder, lines } from '../testing/sale.ts'
import { transitions } from './line.ts'

test('the database allows exactly the transitions of the code', async () => {
  const { db } = await startTestPayments({ manual: true })
  const rows = await db.selectFrom('lineTransition').selectAll().execute()
  const inDatabase = rows.map(({ fromState, toState }) => `${fromState} ${toState}`).sort()
  const inCode = lineStates.flatMap((from) => transitions[from].map((to) => `${from} ${to}`)).sort()
  expect(inDatabase).toEqual(inCode)
})

test('the database refuses a transition that is not in its table', async () => {
  const payments = await startTestPayments({ manual: true })
  const { orderId } = await givenOpenOrder(payments)
  const [line] = await lines(payments, orderId)
  for (const state of ['delivering', 'delivered', 'completed', 'placed'] as const)
    await expect(payments.db.updateTable('line').set({ state }).where('id', '=', line!.id).execute()).rejects.toThrow(
      `a line cannot go from awaiting_payment to ${state}`,
    )
})

test('the item of a line is immutable, and its history append-only', async () => {
  const payments = await startTestPayments({ manual: true })
  const { orderId } = await givenOpenOrder(payments)
  const { db } = payments
  const [line] = await lines(payments, orderId)
  const changed = { priceCents: 1 } as never
  await expect(db.updateTable('line').set(changed).where('id', '=', line!.id).execute()).rejects.toThrow('immutable')
  await expect(db.deleteFrom('line').where('id', '=', line!.id).execute()).rejects.toThrow('append-only')
  await expect(db.deleteFrom('lineHistory').execute()).rejects.toThrow('append-only')
  await expect(db.updateTable('lineHistory').set({ note: 'x' }).execute()).rejects.toThrow('append-only')
})

test('an item has one sale in progress, and its buyer is not its seller', async () => {
  const payments = await startTestPayments()
  const { items, lines: sold } = await givenPaidOrder(payments)
  const other = await givenOpenOrder(payments)
  const [line] = await lines(payments, other.orderId)
  const { db } = payments
  const row = { ...line!, note: null, state: 'placed' as const, sellerUsername: null }
  const insert = (changes: object) =>
    db
      .insertInto('line')
      .values({ ...row, ...changes })
      .execute()

  const sameItem = { id: crypto.randomUUID(), itemId: items[0]!.itemId }
  await expect(insert(sameItem)).rejects.toThrow('line_live')
  const ownItem = { id: crypto.randomUUID(), itemId: crypto.randomUUID(), sellerId: line!.buyerId }
  await expect(insert(ownItem)).rejects.toThrow('check constraint')
  expect(sold).toHaveLength(1)
})

test('every transition is in the history', async () => {
  const payments = await startTestPayments()
  const { lines: sold } = await givenPaidOrder(payments)
  const history = await payments.db
    .selectFrom('lineHistory')
    .selectAll()
    .where('lineId', '=', sold[0]!.id)
    .orderBy('id')
    .execute()
  expect(history.map(({ fromState, toState }) => [fromState, toState])).toEqual([
    [null, 'placed'],
    ['placed', 'awaiting_payment'],
    ['awaiting_payment', 'authorised'],
  ])
})
