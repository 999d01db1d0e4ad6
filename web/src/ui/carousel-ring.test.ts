import { expect, test } from 'vitest'
import { offsetOf } from './carousel-ring.ts'

const row = (at: number, count: number) => Array.from({ length: count }, (_, index) => offsetOf(index, at, count))

test('slides follow the first visible one, and the last is left of it', () => {
  expect(row(0, 6)).toEqual([0, 1, 2, 3, 4, -1])
  expect(row(1, 6)).toEqual([-1, 0, 1, 2, 3, 4])
})

test('positions repeat in both directions', () => {
  expect(row(6, 6)).toEqual(row(0, 6))
  expect(row(-1, 6)).toEqual(row(5, 6))
  expect(row(-13, 6)).toEqual(row(5, 6))
})

test('one step moves every slide by one position, except the one that wraps around', () => {
  const moves = row(3, 8).map((offset, index) => offset - row(2, 8)[index]!)
  expect(moves.filter((move) => move === -1)).toHaveLength(7)
})
