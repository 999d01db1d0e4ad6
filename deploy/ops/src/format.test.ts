import { expect, test } from 'vitest'
import { age, csv, table } from './format.ts'

test.each([
  [1_000, '1 second'],
  [59 * 60_000, '59 minutes'],
  [3 * 3_600_000, '3 hours'],
  [49 * 3_600_000, '2 days'],
])('an age of %i ms is printed in its largest suitable unit', (ms, words) => {
  expect(age(new Date(1_000_000).toISOString(), 1_000_000 + ms)).toBe(words)
})

test('the columns of a table are aligned', () => {
  expect(
    table([
      ['a', 'long'],
      ['bcd', 1],
    ]),
  ).toBe('a    long\nbcd  1')
})

test('CSV quotes every cell and disarms formulas', () => {
  expect(
    csv([
      ['a"b', 'c,d'],
      ['=1+1', ''],
      ['@SUM(1+1)', '\n=1'],
      ['-1+1', '-2\n'],
    ]),
  ).toBe('"a""b","c,d"\r\n"\'=1+1",""\r\n"\'@SUM(1+1)","\'\n=1"\r\n"\'-1+1","\'-2\n"')
})

test('CSV leaves a negative amount a number, so that it counts in a sum', () => {
  expect(csv([['-288.00', '-5']])).toBe('"-288.00","-5"')
})
