import { expect, test } from 'vitest'
import type { Line, Order } from '../db.ts'
import {
  cancelsPaidOrders,
  captureRequest,
  deadlineOf,
  endingOf,
  isCancellable,
  isLate,
  linesToStop,
  stopReason,
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
  expect(strongerRequest('buyer', 'dispute')).toBe('dispute')
  expect(strongerRequest('operator', 'buyer')).toBe('operator')
  expect(strongerRequest('dispute', 'operator')).toBe('dispute')
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
    cancelRequestedBy: null,
    captureCents: 11,
    captureRequestedAt: now,
  })
})

test.each([
  ['nothing', order(), at(HOUR - 1), null],
  ['the deadline', order({ cancelRequestedBy: 'buyer' }), at(HOUR), 'deadline'],
  ['a lost hold', order({ money: 'lapsed', cancelRequestedBy: 'buyer' }), now, 'hold_lost'],
  ['the buyer', order({ cancelRequestedBy: 'buyer' }), now, 'cancelled'],
  ['an operator', order({ cancelRequestedBy: 'operator' }), now, 'operator'],
  ['a dispute', order({ cancelRequestedBy: 'dispute' }), now, 'dispute'],
  ['the seller', order({ cancelRequestedBy: 'seller' }), now, null],
] as const)('%s stops what is not delivered, signed deliveries as well: %#', (_by, given, when, reason) => {
  const all = lines('authorised', 'delivering', 'delivered')
  expect(stopReason(given, when)).toBe(reason)
  expect(statesOf(linesToStop(given, all, when))).toEqual(reason ? ['authorised', 'delivering'] : [])
})

test('a line is released for the reason for which its delivery was stopped', () => {
  expect(endingOf(order(), 'recipient_refuses')).toEqual({ reason: 'undeliverable', note: 'recipient_refuses' })
  expect(endingOf(order(), 'deadline')).toEqual({ reason: 'undeliverable', note: 'deadline' })
  expect(endingOf(order({ money: 'lapsed' }), 'deadline')).toEqual({ reason: 'undeliverable', note: 'hold lost' })
  const cancelled = order({ money: 'lapsed', cancelRequestedBy: 'operator' })
  expect(endingOf(cancelled, 'deadline')).toEqual({ reason: 'cancelled', note: 'operator' })
  expect(endingOf(order({ cancelRequestedBy: 'seller' }), 'deadline')).toMatchObject({ reason: 'undeliverable' })
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
  const fresh = { authorisedAt: now }
  expect(isCancellable(order(fresh), lines(state), now)).toBe(expected)
  expect(isCancellable(order(fresh), lines('released', state), now)).toBe(expected)
  expect(isCancellable(order({ ...fresh, cancelRequestedBy: 'timeout' }), lines(state), now)).toBe(false)
})

test('a signed delivery can be cancelled when it has taken ten minutes', () => {
  const signed = (minutes: number) =>
    isCancellable(order({ authorisedAt: now }), lines('delivering'), at(minutes * 60_000))
  expect([signed(10), signed(10.1)]).toEqual([false, true])
})
