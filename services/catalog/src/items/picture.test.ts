import { colorNames } from '@nifty/api/market-filters'
import { expect, test } from 'vitest'
import { colorName, orientationOf } from './picture.ts'

test.each([
  ['#d02020', 'red'],
  ['#e8792b', 'orange'],
  ['#f2d21b', 'yellow'],
  ['#3f9d4b', 'green'],
  ['#1fa79f', 'teal'],
  ['#2b5fd9', 'blue'],
  ['#101c40', 'blue'],
  ['#7a3fd1', 'purple'],
  ['#e556a5', 'pink'],
  ['#f4b6b0', 'pink'],
  ['#6b4423', 'brown'],
  ['#c8b898', 'brown'],
  ['#0b0b0d', 'black'],
  ['#808084', 'grey'],
  ['#e8d8c8', 'white'],
  ['#f3f1ec', 'white'],
] as const)('%s is %s', (color, name) => {
  expect(colorName(color)).toBe(name)
})

test('every colour has one of the twelve names', () => {
  const parts = ['00', '1c', '38', '55', '80', 'aa', 'd0', 'ff']
  const names = new Set(parts.flatMap((r) => parts.flatMap((g) => parts.map((b) => colorName(`#${r}${g}${b}`)))))
  expect([...names].sort()).toEqual([...colorNames].sort())
  expect(colorName('')).toBe('grey')
})

test('a picture is as wide as high up to a twentieth', () => {
  expect(orientationOf({ width: 1000, height: 1040 })).toBe('square')
  expect(orientationOf({ width: 1600, height: 1200 })).toBe('landscape')
  expect(orientationOf({ width: 1200, height: 1600 })).toBe('portrait')
})
