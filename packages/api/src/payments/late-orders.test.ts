import { expect, test } from 'vitest'
import { isHeldTooLong, isHoldEnding } from './late-orders.ts'

const now = Date.parse('2026-11-27T12:00:00Z')

test.each([
  ['authorised', 'held', '11:44', true],
  ['authorised', 'held', '11:46', false],
  ['completed', 'captured', '11:44', false],
  ['held', 'held', '11:44', false],
])('an order that is %s with money %s since %s is held too long at 12:00: %s', (state, money, since, late) => {
  expect(isHeldTooLong({ state, money, since: `2026-11-27T${since}:00Z`, holdEndsAt: null }, now)).toBe(late)
})

test.each([
  ['2026-11-28T11:59:00Z', true],
  ['2026-11-28T12:01:00Z', false],
  [null, false],
])('a hold until %s ends within a day: %s', (holdEndsAt, ends) => {
  expect(isHoldEnding({ state: 'authorised', money: 'held', since: '2026-11-27T11:59:00Z', holdEndsAt }, now)).toBe(
    ends,
  )
})
