import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { amountWithin, parseAmount } from './amount.ts'

const source = join(import.meta.dirname, '../..')

test.each([
  ['1500', 1500],
  ['1500,00', 1500],
  ['1500.00', 1500],
  ['1.500,00', 1500],
  ['1,500.00', 1500],
  ['1.500,5', 1500.5],
  ['1.234.567', 1_234_567],
  ['1,234,567.89', 1_234_567.89],
  ['1 500', 1500],
  ['1\u202f500,00', 1500],
  ["1'500.00", 1500],
  ['9,5', 9.5],
  ['9.50', 9.5],
  [',5', 0.5],
  ['0.29', 0.29],
  ['  12,00 € ', 12],
  ['€ 12.00', 12],
])('%s is %d', (typed, euros) => expect(parseAmount(typed)).toEqual({ euros }))

test.each([
  ['1.500', '“1.500” has two meanings: please type 1500 or 1.50'],
  ['1,500', '“1,500” has two meanings: please type 1500 or 1.50'],
  ['12.345', '“12.345” has two meanings: please type 12345 or 12.35'],
  ['999,999', '“999,999” has two meanings: please type 999999 or 1000.00'],
])('%s has two meanings, and both are named', (typed, problem) => expect(parseAmount(typed)).toEqual({ problem }))

test.each([
  ['', ' ', '.', '€', 'cheap', '12.', '1.5.0', '1,50,00', '1.50,000', '1,500.000', '0.500', '1234.567', '1500.000,00'],
  [
    '-5',
    '+5',
    '1e3',
    '0x10',
    '1.500.00',
    '1,500,00',
    '1 50',
    '1 500.000',
    '5 €5',
    '١٢',
    '12.345.67',
    "1'50",
    '1.500.000.00',
  ],
])('what is no amount is refused', (...texts) => {
  for (const typed of texts) expect(parseAmount(typed), typed).toEqual({ problem: 'An amount such as 120 or 99.50' })
})

test('an amount outside its range is refused with the limit', () => {
  const range = { min: 0.5, max: 999_999.99 }
  expect(amountWithin('0,49', range)).toEqual({ problem: 'At least 0.50\u00a0€' })
  expect(amountWithin('1.000.000', range)).toEqual({ problem: 'At most 999,999.99\u00a0€' })
  expect(amountWithin('999.999,99', range)).toEqual({ euros: 999_999.99 })
})

/** Cents, and the signs of a country for thousands and decimals. */
const cents = fc.integer({ min: 0, max: 99_999_999 })
const countries = fc.constantFrom(['.', ','], [',', '.'], ["'", '.'], [' ', ','], ['\u00a0', ','], ['', ','], ['', '.'])

test('an amount that is written in the way of a European country is read as it was meant', () => {
  fc.assert(
    fc.property(cents, countries, (amount, [thousands = '', decimal]) => {
      const whole = String(Math.floor(amount / 100)).replace(/\B(?=(\d{3})+$)/g, thousands)
      const typed = `${whole}${decimal}${String(amount % 100).padStart(2, '0')}`
      expect(parseAmount(typed)).toEqual({ euros: amount / 100 })
    }),
  )
})

test('no text is read as another power of ten: the digits of an amount are those that were typed', () => {
  const typed = fc.string({ unit: fc.constantFrom(...'0123456789.,', '.', ',', ' ', "'", '€', '-'), maxLength: 12 })
  fc.assert(
    fc.property(typed, (text) => {
      const amount = parseAmount(text)
      if ('problem' in amount) return
      const decimals = /[.,](\d{1,2})\D*$/.exec(text)?.[1]?.length ?? 0
      expect(Math.round(amount.euros * 100)).toBe(Number(text.replace(/\D/g, '')) * 10 ** (2 - decimals))
    }),
    { numRuns: 20_000 },
  )
})

test('no field of the front end is a number input, which drops signs that the language of the browser does not use', () => {
  const files = globSync('**/*.tsx', { cwd: source }).filter((file) => !file.endsWith('.test.tsx'))
  expect(files.length).toBeGreaterThan(100)
  for (const file of files) expect(readFileSync(join(source, file), 'utf8'), file).not.toMatch(/type=["'{]+number/)
})
