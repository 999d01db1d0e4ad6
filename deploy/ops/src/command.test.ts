import { expect, test } from 'vitest'
import { type Command, usageError } from './command.ts'

const cancel: Command = { usage: '<order id> [payout id]', about: '', run: async () => '' }
const id = 'd3ea7c40-151c-497c-be4d-fd9114883227'

test('invalid arguments are reported before any request', () => {
  expect(usageError('cancel-order', cancel, [])).toContain('<order id> is missing')
  expect(usageError('cancel-order', cancel, ['nope'])).toContain('nope is not a valid order id')
  expect(usageError('cancel-order', cancel, [id, 'nope'])).toContain('nope is not a valid payout id')
  expect(usageError('cancel-order', cancel, [id, id, 'more'])).toContain('Unexpected argument more')
  expect(usageError('cancel-order', cancel, [id])).toBeUndefined()
  expect(
    usageError('replay', { ...cancel, usage: '<service> <message id, key, or all>' }, ['auth', 'all']),
  ).toBeUndefined()
})
