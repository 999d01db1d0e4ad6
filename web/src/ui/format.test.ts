import { expect, test } from 'vitest'
import { shorten } from './shorten.ts'
import { countdown } from './time.tsx'

test('long texts are shortened to both ends, short texts are not', () => {
  expect(shorten('0x70997970C51812dc3A010C7d01b50e0d17dc79C8', 6, 6)).toBe('0x7099...dc79C8')
  expect(shorten('10482093847502938', 5, 5)).toBe('10482...02938')
  expect(shorten('42', 5, 5)).toBe('42')
})

test('a countdown stops at 00:00', () => {
  const until = '2026-01-01T10:00:00Z'
  expect(countdown(until, Date.parse('2026-01-01T09:27:27.500Z'))).toBe('32:33')
  expect(countdown(until, Date.parse('2026-01-01T10:05:00Z'))).toBe('00:00')
})
