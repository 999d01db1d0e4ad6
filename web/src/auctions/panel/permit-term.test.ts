import { expect, test } from 'vitest'
import { permitTermOf } from './permit-term.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const now = Date.parse('2026-11-27T12:00:00Z')
const inMs = (ms: number) => new Date(now + ms).toISOString()

test.each([
  ['none', null, 'short'],
  ['one of the hours, a day of late bids and the delivery', inMs(75 * HOUR_MS), 'short'],
  ['one of a week more', inMs(75 * HOUR_MS + 7 * DAY_MS), 'ending'],
  ['a longer one', inMs(75 * HOUR_MS + 8 * DAY_MS), 'long'],
])('the permit of an auction of a day, %s, is %s', (_, validUntil, state) => {
  expect(permitTermOf({ hours: 24, validUntil }, now).state).toBe(state)
})

test('a permit that ends soon has the time from which bids are refused', () => {
  expect(permitTermOf({ hours: 1, validUntil: inMs(60 * HOUR_MS) }, now)).toEqual({
    state: 'ending',
    from: now + 8 * HOUR_MS,
  })
})
