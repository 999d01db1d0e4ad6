import { expect, test } from 'vitest'
import { age } from './age.ts'

test.each([
  [1_000, '1 second'],
  [59 * 60_000, '59 minutes'],
  [3 * 3_600_000, '3 hours'],
  [49 * 3_600_000, '2 days'],
])('an age of %i ms is printed in its largest suitable unit', (ms, words) => {
  expect(age(new Date(1_000_000).toISOString(), 1_000_000 + ms)).toBe(words)
})
