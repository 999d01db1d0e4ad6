import { expect, test } from 'vitest'
import { countdown } from './countdown.ts'

test('a countdown stops at 00:00', () => {
  const until = '2026-01-01T10:00:00Z'
  expect(countdown(until, Date.parse('2026-01-01T09:27:27.500Z'))).toBe('32:33')
  expect(countdown(until, Date.parse('2026-01-01T10:05:00Z'))).toBe('00:00')
})
