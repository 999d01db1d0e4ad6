import { expect, test } from 'vitest'
import { hasChanged, placePoints, pricePoints, stepPath } from './price-points.ts'

const entry = (what: 'minted' | 'listed' | 'moved' | 'sold', day: number, price: number | null) => ({
  what,
  price,
  at: `2026-01-0${day}T00:00:00.000Z`,
  username: null,
  txHash: null,
  custody: null,
})

test('the prices of a history are those asked and paid, oldest first', () => {
  const history = [entry('listed', 5, 30), entry('sold', 3, 20), entry('moved', 3, null), entry('listed', 1, 20)]
  expect(pricePoints(history).map(({ what, euros }) => [what, euros])).toEqual([
    ['listed', 20],
    ['sold', 20],
    ['listed', 30],
  ])
})

test('a listing at another price, without a sale in between, is a new price', () => {
  const history = [entry('listed', 5, 40), entry('moved', 4, null), entry('listed', 3, 30), entry('sold', 2, 20)]
  expect(pricePoints([...history, entry('listed', 1, 20)]).map(({ what }) => what)).toEqual([
    'listed',
    'sold',
    'listed',
    'repriced',
  ])
})

test('points are placed by time and price, and a price holds until the next', () => {
  const points = pricePoints([entry('listed', 5, 40), entry('sold', 2, 20), entry('listed', 1, 10)])
  const placed = placePoints(points, { width: 400, height: 100 })
  expect(placed.map(({ x, y }) => [x, y])).toEqual([
    [0, 75],
    [100, 50],
    [400, 0],
  ])
  expect(stepPath(placed)).toBe('M0 75H100V50H400V0')
  expect(placePoints(points.slice(0, 1), { width: 400, height: 100 })).toMatchObject([{ x: 200, y: 0 }])
})

test('prices change only with another price: a sale at the price asked is none', () => {
  const sold = [entry('sold', 3, 20), entry('moved', 3, null), entry('listed', 1, 20)]
  expect(hasChanged(pricePoints(sold))).toBe(false)
  expect(hasChanged(pricePoints([entry('listed', 5, 30), ...sold]))).toBe(true)
  expect(hasChanged([])).toBe(false)
})
