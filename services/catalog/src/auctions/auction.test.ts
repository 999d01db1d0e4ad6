import { PERMIT_LASTS_LONGER_MS } from '@nifty/api/auction-limits'
import { expect, test } from 'vitest'
import { clockFrom, deliverableUntil, isOutage } from './auction.ts'

const HOUR_MS = 3_600_000
const now = new Date('2026-11-27T12:00:00Z')
const inMs = (ms: number) => new Date(now.getTime() + ms)

test('a permit that is long enough for the bid that starts the clock is long enough for every later one', () => {
  const needed = deliverableUntil({ latestEndAt: null, hours: 24 }, now)
  expect(needed).toEqual(inMs(24 * HOUR_MS + PERMIT_LASTS_LONGER_MS))
  const { latestEndAt } = clockFrom(inMs(HOUR_MS), 24)
  for (const hours of [2, 25, 49])
    expect(deliverableUntil({ latestEndAt, hours: 24 }, inMs(hours * HOUR_MS))).toEqual(needed)
})

test('while the first bid is waited for, the permit has to be the longer, the later it comes', () => {
  const needed = (at: Date) => deliverableUntil({ latestEndAt: null, hours: 24 }, at).getTime()
  expect(needed(inMs(10 * HOUR_MS)) - needed(now)).toBe(10 * HOUR_MS)
})

test('an outage is more than a minute without a sign of the worker', () => {
  expect([inMs(-60_000), inMs(-60_001)].map((seenAt) => isOutage(seenAt, now))).toEqual([false, true])
})
