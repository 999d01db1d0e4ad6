import { expect, test } from 'vitest'
import { median, percentile } from './statistics.ts'

test.each([
  [[3, 1, 2], 2],
  [[4, 1, 3, 2], 2.5],
  [[10, 9], 9.5],
  [[7], 7],
])('the median of %j is %d', (values, expected) => expect(median(values)).toBe(expected))

test('a percentile is a value that occurs: 99 of 100 are at most the 99th', () => {
  const values = Array.from({ length: 100 }, (_, index) => 100 - index)
  expect(percentile(values, 0.99)).toBe(99)
  expect(percentile(values, 0.5)).toBe(50)
  expect(percentile([5], 0.95)).toBe(5)
  expect(percentile([1, 2], 0)).toBe(1)
})

test('neither changes the order of its argument', () => {
  const values = [3, 1, 2]
  median(values)
  percentile(values, 0.5)
  expect(values).toEqual([3, 1, 2])
})
