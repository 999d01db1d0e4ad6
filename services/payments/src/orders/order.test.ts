import { expect, test } from 'vitest'
import type { Line, Order } from '../db.ts'
import {
  cancelsPaidOrders,
  captureRequest,
  deadlineOf,
  isCancellable,
  isLate,
  linesToStop,
  strongerRequest,
} from './order.ts'

const now = new Date('2026-01-01T12:00:00Z')
const at = (ms: number) => new Date(now.getTime() + ms)
const HOUR = 3_600_000

const order = (changes: Partial<Order> = {}) =>
  ({ money: 'held', cancelRequestedBy: null, deliverBy: at(HOUR), ...changes }) as Order
const lines = (...states: Line['state'][]) => states.map((state, place) => ({ state, priceCents: 10 ** place }) as Line)
const statesOf = (found: Line[]) => found.map(({ state }) => state)

test('a request that cancels paid orders is not replaced by one that does not', () => {
  expect(strongerRequest('buyer', 'seller')).toBe('buyer')
  expect(strongerRequest('seller', 'buyer')).toBe('buyer')
  expect(strongerRequest(null, 'timeout')).toBe('timeout')
})

test.each([
  ['buyer', true],
  ['operator', true],
  ['dispute', true],
  ['seller', false],
  ['account', false],
  ['timeout', false],
  [null, false],
] as const)('a request by %s cancels paid orders: %s', (by, expected) => {
  expect(cancelsPaidOrders(by)).toBe(expected)
})

test('a capture takes what was delivered and not captured', () => {
  expect(captureRequest(lines('delivered', 'capture_due', 'released', 'completed'), now)).toEqual({
    captureCents: 11,
    captureRequestedAt: now,
  })
})

test('past the deadline signed deliveries are stopped as well', () => {
  const all = lines('authorised', 'delivering', 'delivered')
  expect(statesOf(linesToStop(order(), all, at(HOUR)))).toEqual(['authorised', 'delivering'])
  expect(linesToStop(order(), all, at(HOUR - 1))).toEqual([])
})

test('before the deadline a cancellation or a lost hold stops what is not signed', () => {
  const all = lines('authorised', 'delivering')
  expect(statesOf(linesToStop(order({ cancelRequestedBy: 'buyer' }), all, now))).toEqual(['authorised'])
  expect(linesToStop(order({ cancelRequestedBy: 'seller' }), all, now)).toEqual([])
  expect(statesOf(linesToStop(order({ money: 'lapsed' }), all, now))).toEqual(['authorised'])
})

test('a delivery is late at its deadline, and never without one', () => {
  expect(isLate(order(), at(HOUR - 1))).toBe(false)
  expect(isLate(order(), at(HOUR))).toBe(true)
  expect(isLate(order({ deliverBy: null }), at(HOUR))).toBe(false)
})

test('the deadline leaves an hour for the capture of a hold that its card ends earlier', () => {
  const hold = (captureBeforeMs: number | null, status = 'requires_capture') =>
    ({ status, captureBeforeMs }) as Parameters<typeof deadlineOf>[2]
  expect(deadlineOf(now, 24 * HOUR, hold(null))).toEqual(at(24 * HOUR))
  expect(deadlineOf(now, 24 * HOUR, hold(at(48 * HOUR).getTime()))).toEqual(at(24 * HOUR))
  expect(deadlineOf(now, 24 * HOUR, hold(at(10 * HOUR).getTime()))).toEqual(at(9 * HOUR))
  expect(deadlineOf(now, 24 * HOUR, hold(at(10 * HOUR).getTime(), 'succeeded'))).toEqual(at(24 * HOUR))
})

test.each([
  ['placed', true],
  ['awaiting_payment', true],
  ['authorised', true],
  ['delivering', false],
  ['delivered', false],
  ['released', false],
] as const)('an order whose only line is %s can be cancelled: %s', (state, expected) => {
  expect(isCancellable(order(), lines(state))).toBe(expected)
  expect(isCancellable(order(), lines('released', state))).toBe(expected)
  expect(isCancellable(order({ cancelRequestedBy: 'timeout' }), lines(state))).toBe(false)
})
