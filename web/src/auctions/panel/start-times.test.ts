import { expect, test } from 'vitest'
import { hoursOf, localTime, startRange } from './start-times.ts'

test.each([
  ['1', 1],
  [' 24 ', 24],
  ['72', 72],
  ['0', undefined],
  ['73', undefined],
  ['1.5', undefined],
  ['', undefined],
  ['-3', undefined],
])('"%s" are %s hours', (text, hours) => {
  expect(hoursOf(text)).toBe(hours)
})

test('a start is chosen in the time zone of the browser, at most 30 days ahead', () => {
  const now = new Date(2026, 10, 27, 9, 5).getTime()
  expect(localTime(now)).toBe('2026-11-27T09:05')
  expect(startRange(now)).toEqual({ min: '2026-11-27T09:06', max: '2026-12-27T09:05' })
})
