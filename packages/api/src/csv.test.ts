import { expect, test } from 'vitest'
import { csv } from './csv.ts'

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
