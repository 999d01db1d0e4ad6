import { lineStates } from '@nifty/api/payments'
import { expect, test } from 'vitest'
import { givenPayments } from '../testing/payments.ts'
import { givenOpenOrder, givenPaidOrder, lines } from '../testing/sale.ts'
import { orderState, pathTo, transitions } from './line.ts'

test('the database allows exactly the steps that the code allows', async () => {
  const { db } = await givenPayments({ quiet: true })
  const rows = await db.selectFrom('lineTransition').selectAll().execute()
  const inDatabase = rows.map(({ fromState, toState }) => `${fromState} ${toState}`).sort()
  const inCode = lineStates.flatMap((from) => transitions[from].map((to) => `${from} ${to}`)).sort()
  expect(inDatabase).toEqual(inCode)
})

test('the database refuses a step that is not in the table, whoever asks for it', async () => {
  const payments = await givenPayments({ quiet: true })
  const { orderId } = await givenOpenOrder(payments)
  const [line] = await lines(payments, orderId)
  for (const state of ['delivering', 'delivered', 'completed', 'placed'] as const)
    await expect(payments.db.updateTable('line').set({ state }).where('id', '=', line!.id).execute()).rejects.toThrow(
      `a line cannot go from awaiting_payment to ${state}`,
    )
})

test('what a line sells never changes, and its history is only ever added to', async () => {
  const payments = await givenPayments({ quiet: true })
  const { orderId } = await givenOpenOrder(payments)
  const { db } = payments
  const [line] = await lines(payments, orderId)
  const changed = { priceCents: 1 } as never
  await expect(db.updateTable('line').set(changed).where('id', '=', line!.id).execute()).rejects.toThrow('immutable')
  await expect(db.deleteFrom('line').where('id', '=', line!.id).execute()).rejects.toThrow('append-only')
  await expect(db.deleteFrom('lineHistory').execute()).rejects.toThrow('append-only')
  await expect(db.updateTable('lineHistory').set({ note: 'x' }).execute()).rejects.toThrow('append-only')
})

test('an item has one live sale, and a buyer is never its seller', async () => {
  const payments = await givenPayments()
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

test('every step finds its way into the history', async () => {
  const payments = await givenPayments()
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

test('an order speaks through the line with the most to do', () => {
  const stateOf = (...states: (typeof lineStates)[number][]) => orderState(states.map((state) => ({ state })))
  expect(stateOf('released', 'completed')).toBe('completed')
  expect(stateOf('delivered', 'delivering')).toBe('delivering')
  expect(stateOf('released', 'delivered')).toBe('delivered')
  expect(stateOf('released', 'released')).toBe('released')
})

test('a step that was not heard of is found on the way, and no way leads back', () => {
  expect(pathTo('authorised', 'delivered')).toEqual(['delivering', 'delivered'])
  expect(pathTo('delivering', 'delivering')).toEqual([])
  expect(pathTo('delivered', 'delivering')).toBeNull()
  expect(pathTo('released', 'delivered')).toBeNull()
})
