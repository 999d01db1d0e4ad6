import { expect, test } from 'vitest'
import { type Command, parseSince, usageError } from './command.ts'

const cancel: Command = { usage: '<order id> [payout id]', about: '', run: async () => '' }
const id = 'd3ea7c40-151c-497c-be4d-fd9114883227'

test('invalid arguments are reported before any request', () => {
  expect(usageError('cancel-order', cancel, ['nope'])).toContain('nope is not a valid order id')
  expect(usageError('cancel-order', cancel, [id, 'nope'])).toContain('nope is not a valid payout id')
  expect(usageError('cancel-order', cancel, [id])).toBeUndefined()
  expect(
    usageError('replay', { ...cancel, usage: '<service> <message id, key, or all>' }, ['auth', 'all']),
  ).toBeUndefined()
})

test.each(['2026-11-22T14:00:00Z', '2026-11-22T14:00Z', '2026-11-22T15:00:00.000+01:00'])(
  '--since takes %s',
  (text) => {
    expect(parseSince({ ...cancel, since: true }, text)?.toISOString()).toBe('2026-11-22T14:00:00.000Z')
  },
)

test.each([undefined, '', 'yesterday', '2026-11-22', '2026-11-22T14:00:00', '2026-13-22T14:00:00Z'])(
  '--since does not take %s',
  (text) => {
    expect(() => parseSince({ ...cancel, since: true }, text)).toThrow('--since')
  },
)
