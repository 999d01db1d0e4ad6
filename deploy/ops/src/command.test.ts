import { expect, test } from 'vitest'
import { type Command, lasting, misuse } from './command.ts'

const release: Command = { usage: '<order id> [payout id]', about: '', run: async () => '' }
const id = 'd3ea7c40-151c-497c-be4d-fd9114883227'

test('what was typed wrongly is named before anything is asked', () => {
  expect(misuse('release', release, [])).toContain('<order id> is missing')
  expect(misuse('release', release, ['nope'])).toContain('nope is no order id')
  expect(misuse('release', release, [id, 'nope'])).toContain('nope is no payout id')
  expect(misuse('release', release, [id, id, 'more'])).toContain('What is more?')
  expect(misuse('release', release, [id])).toBeUndefined()
  expect(
    misuse('replay', { ...release, usage: '<service> <message id, key, or all>' }, ['auth', 'all']),
  ).toBeUndefined()
})

test.each([
  [1_000, '1 second'],
  [59 * 60_000, '59 minutes'],
  [3 * 3_600_000, '3 hours'],
  [49 * 3_600_000, '2 days'],
])('how long something has lasted is said in words: %i ms', (ms, words) => {
  expect(lasting(new Date(1_000_000).toISOString(), 1_000_000 + ms)).toBe(words)
})
