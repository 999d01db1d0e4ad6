import { expect, test } from 'vitest'
import { requireKnownSizes, sizesOf } from './sizes.ts'

test('a size is the usual one, or that of the variable', () => {
  expect(sizesOf('BENCH_WORKS', [20_000, 1_000_000], {})).toEqual([20_000, 1_000_000])
  expect(sizesOf('BENCH_WORKS', [20_000], { BENCH_WORKS: '300,5000' })).toEqual([300, 5_000])
})

test.each(['abc', '', '0', '-1', '300,', 'Infinity'])(
  'a size of "%s" is refused before anything is measured',
  (text) => {
    expect(() => requireKnownSizes({ BENCH_WORKS: text }, ['BENCH_WORKS'])).toThrow('numbers above 0')
  },
)

test('a variable that replaces no size is refused', () => {
  requireKnownSizes({ PATH: '/', BENCH_WORKS: '1' }, ['BENCH_WORKS'])
  expect(() => requireKnownSizes({ BENCH_WORK: '1' }, ['BENCH_WORKS'])).toThrow(
    'BENCH_WORK replaces no size; BENCH_WORKS do',
  )
})
