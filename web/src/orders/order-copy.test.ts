import type { LineState, Order } from '@nifty/api/payments/public'
import { expect, test } from 'vitest'
import { deliveredAt, headline, isWithdrawn, ownedLines } from './order-copy.ts'

const orderIn = (state: LineState, reason: string | null = null) =>
  ({
    state,
    lines: [{ _id: 'line', itemId: 'item', state, reason }],
    timeline: [{ state: 'delivered', at: '2026-03-01T10:00:00Z', itemId: 'item', note: null }],
  }) as unknown as Order

test.each([
  ['cancelled', 'The purchase was cancelled.'],
  ['undeliverable', 'could not be delivered'],
])('the headline of a released order (%s) is that nothing was charged, then the reason', (reason, text) => {
  const released = headline(orderIn('released', reason))
  expect(released.title).toBe('Nothing was charged')
  expect(released.text).toContain(text)
})

test.each<[LineState, number]>([
  ['delivering', 0],
  ['released', 0],
  ['delivered', 1],
  ['completed', 1],
  ['refunded', 1],
])('an order that is %s has %i owned lines', (state, count) => {
  expect(ownedLines(orderIn(state))).toHaveLength(count)
})

test('an order is withdrawn once all works that arrived are', () => {
  const lines = ['completed', 'completed', 'released'].map((state, place) => ({ _id: `line-${place}`, state }))
  const order = { lines } as Order
  const withdrawalsOf =
    (...ids: string[]) =>
    ({ _id }: { _id: string }) =>
      ids.includes(_id) ? {} : undefined
  expect(isWithdrawn(order, withdrawalsOf('line-0'))).toBe(false)
  expect(isWithdrawn(order, withdrawalsOf('line-0', 'line-1'))).toBe(true)
  expect(isWithdrawn({ lines: [lines[2]] } as Order, withdrawalsOf())).toBe(false)
})

test('the date of delivery is that of the same item', () => {
  expect(deliveredAt(orderIn('completed'), 'item')).toBe('2026-03-01T10:00:00Z')
  expect(deliveredAt(orderIn('completed'), 'another')).toBeNull()
})

test.each<[LineState, string, string]>([
  ['completed', 'Delivered to your wallet', 'Kept here for you'],
  ['written_off', 'Delivered to your wallet', 'Kept here for you'],
  ['released', 'delivered to your wallet', 'transferred into our custody for you'],
])('the headline of an order that is %s names its recipient', (state, toWallet, toCustody) => {
  const order = orderIn(state, 'undeliverable')
  expect(headline({ ...order, wallet: '0xabc' }).text).toContain(toWallet)
  expect(headline({ ...order, wallet: null }).text).toContain(toCustody)
  expect(headline({ ...order, wallet: null }).text).not.toContain('wallet')
})
