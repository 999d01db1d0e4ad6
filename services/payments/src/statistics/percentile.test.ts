import { expect, test } from 'vitest'
import { percentile } from './percentile.ts'

test('a percentile is the smallest value that so many values do not exceed', () => {
  const minutes = { '10': 1, '2': 3, '3': 5, '40': 1 }
  expect([percentile(minutes, 0.3), percentile(minutes, 0.5), percentile(minutes, 0.95)]).toEqual([2, 3, 40])
  expect(percentile({ '7': 1 }, 0.5)).toBe(7)
  expect(percentile({}, 0.5)).toBeNull()
})
