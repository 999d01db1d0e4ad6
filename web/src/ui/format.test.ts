import { expect, test } from 'vitest'
import { shorten } from './shorten.ts'

test('long texts are shortened to both ends, short texts are not', () => {
  expect(shorten('0x70997970C51812dc3A010C7d01b50e0d17dc79C8', 6, 6)).toBe('0x7099...dc79C8')
  expect(shorten('10482093847502938', 5, 5)).toBe('10482...02938')
  expect(shorten('42', 5, 5)).toBe('42')
})
