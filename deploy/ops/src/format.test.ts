import { expect, test } from 'vitest'
import { table } from './format.ts'

test('the columns of a table are aligned', () => {
  expect(
    table([
      ['a', 'long'],
      ['bcd', 1],
    ]),
  ).toBe('a    long\nbcd  1')
})
