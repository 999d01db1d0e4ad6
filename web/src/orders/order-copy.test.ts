import type { LineState, Order } from '@nifty/api/payments/public'
import { expect, test } from 'vitest'
import { deliveredAt, headline, ownedLines } from './order-copy.ts'

const orderIn = (state: LineState, reason: string | null = null) =>
  ({
    state,
    lines: [{ _id: 'line', itemId: 'item', state, reason }],
    timeline: [{ state: 'delivered', at: '2026-03-01T10:00:00Z', itemId: 'item', note: null }],
  }) as unknown as Order

test.each([
  ['cancelled', 'The purchase was cancelled.'],
  ['undeliverable', 'could not be delivered'],
])('an order that was released (%s) says first that nothing was charged, then why', (reason, why) => {
  const { title, text } = headline(orderIn('released', reason))
  expect(title).toBe('Nothing was charged')
  expect(text).toContain(why)
})

test.each<[LineState, number]>([
  ['delivering', 0],
  ['released', 0],
  ['delivered', 1],
  ['completed', 1],
  ['refunded', 1],
])('a work whose order is %s has %i certificates', (state, count) => {
  expect(ownedLines(orderIn(state))).toHaveLength(count)
})

test('the day of delivery is that of its own work', () => {
  expect(deliveredAt(orderIn('completed'), 'item')).toBe('2026-03-01T10:00:00Z')
  expect(deliveredAt(orderIn('completed'), 'another')).toBeNull()
})
