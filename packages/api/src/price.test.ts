import { expect, test } from 'vitest'
import { formatPrice, priceRange } from './price.ts'

test('a price has its euro sign at the end, and cents only when they are not zero', () => {
  expect(formatPrice(1250)).toBe('1,250\u00a0€')
  expect(formatPrice(9.5)).toBe('9.50\u00a0€')
  expect(formatPrice(0.5)).toBe('0.50\u00a0€')
  expect(formatPrice(0.125)).toBe('0.13\u00a0€')
})

test('the range of prices is the one that pages and requests have', () => {
  expect(priceRange).toEqual({ min: 0.5, max: 999_999.99 })
})
