import { expect, test } from 'vitest'
import type { Order } from '../db.ts'
import type { Hold } from '../processor/processor.ts'
import { compareOrder, type OrderFacts } from './compare-order.ts'
import { stepAfter } from './reconciliation.ts'

const order = { money: 'captured', heldCents: 900, capturedCents: 900 } as Order
const hold = { status: 'succeeded', amount: 900, capturedCents: 900 } as Hold
const agreed: OrderFacts = {
  order,
  hold,
  bookedCents: 900,
  isReversalOpen: false,
  withdrawnCents: { ours: 0, processor: 0 },
  undelivered: [],
}

test('an order that was captured, booked and delivered agrees, and is settled', () => {
  expect(compareOrder(agreed)).toMatchObject({ detail: null, isSettled: true })
})

test.each<[string, Partial<OrderFacts>, RegExp]>([
  ['the processor has no such hold', { hold: null }, /^the processor has no such hold$/],
  ['another amount was captured', { hold: { ...hold, capturedCents: 500 } }, /captured 900.*captured 500/],
  ['a refund is not recorded', { withdrawnCents: { ours: 0, processor: 100 } }, /withdrawn 0.*withdrawn 100/],
  ['a cent is not booked', { bookedCents: 899 }, /^booked 899 where 900 were captured/],
  ['a refund is not booked', { withdrawnCents: { ours: 100, processor: 100 } }, /^booked 900 where 800 were captured/],
  ['a line was not delivered on the chain', { undelivered: ['1'] }, /^line 1 is delivered in payments/],
])('it differs when %s', (_, change, detail) => {
  expect(compareOrder({ ...agreed, ...change }).detail).toMatch(detail)
})

test('an order is not settled while its money is held, or a refund or dispute of it may change', () => {
  expect(compareOrder({ ...agreed, isReversalOpen: true })).toMatchObject({ detail: null, isSettled: false })
  const held = { ...agreed, order: { ...order, money: 'held', capturedCents: 0 } as Order, bookedCents: 0 }
  const waiting = { status: 'requires_capture', amount: 900, capturedCents: 0 } as Hold
  expect(compareOrder({ ...held, hold: waiting })).toMatchObject({ detail: null, isSettled: false })
})

test('an order that was never held agrees with an intent that holds nothing, or with none', () => {
  const unpaid = { ...agreed, order: { money: 'none', heldCents: 0, capturedCents: 0 } as Order, bookedCents: 0 }
  expect(compareOrder({ ...unpaid, hold: null }).detail).toBeNull()
  expect(compareOrder({ ...unpaid, hold: { ...hold, status: 'canceled' } }).detail).toBeNull()
  expect(compareOrder(unpaid).detail).toMatch(/captured 0.*captured 900/)
})

test('only a run that compares everything has the steps over all orders and all items', () => {
  expect(stepAfter(null, true)).toBe('all_orders')
  expect(stepAfter(null, false)).toBe('refunds')
  expect(stepAfter('owners', true)).toBe('items')
  expect(stepAfter('owners', false)).toBe('reservations')
  expect(stepAfter('differences', true)).toBeNull()
})
