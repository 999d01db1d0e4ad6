import { expect, test } from 'vitest'
import { readCommand } from './command-line.ts'

const known = ['start', 'idle']

test('without arguments every part runs in its whole form, and the report goes to the data directory', () => {
  expect(readCommand([], known)).toEqual({ parts: [], form: 'whole', json: '.nifty/bench.json' })
})

test('parts, the short form and the file of the report are arguments in any order', () => {
  const expected = { parts: ['idle', 'start'], form: 'short', json: 'out.json' }
  expect(readCommand(['idle', '--short', '--json', 'out.json', 'start'], known)).toEqual(expected)
  expect(readCommand(['--', '--short'], known)).toMatchObject({ form: 'short' })
})

test.each([[['stat']], [['--fast']], [['--json']], [['--json', '--short']], [['constructor']]])(
  '%j is refused with the usage',
  (args) => expect(() => readCommand(args, known)).toThrow('Usage: pnpm bench [--short] [--json FILE] [start|idle]…'),
)
