import { expect, test } from 'vitest'
import { isLive } from './session.ts'

const now = Date.UTC(2026, 0, 1)
const seconds = now / 1000
const token = (payload: unknown) => `e30.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.sig`

test('a token is live until the second of its exp', () => {
  expect(isLive(token({ exp: seconds + 1 }), now)).toBe(true)
  expect(isLive(token({ exp: seconds }), now)).toBe(false)
  expect(isLive(token({ exp: seconds - 60 }), now)).toBe(false)
})

test('an unreadable token counts as missing', () => {
  const broken = [
    null,
    '',
    'abc',
    'a.b.c',
    `e30.${btoa('no json')}.sig`,
    token({}),
    token({ exp: '9999999999' }),
    token(null),
  ]
  for (const value of broken) expect(isLive(value, now), String(value)).toBe(false)
})

test('an exp in milliseconds is rejected', () => {
  expect(isLive(token({ exp: now + 60_000 }), now)).toBe(false)
})

test('a payload with characters outside of Latin-1 is decoded', () => {
  expect(isLive(token({ exp: seconds + 60, name: 'Łucja ✶ — ~~??>>' }), now)).toBe(true)
})
