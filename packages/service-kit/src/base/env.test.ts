import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { ChainId, PublicUrl, parseEnv, RateLimitFactor, rateLimit, withoutTrailingSlash } from './env.ts'

const Env = Type.Object({ PUBLIC_URL: PublicUrl, RATE_LIMIT_FACTOR: RateLimitFactor, CHAIN_ID: ChainId })

test('shared settings have one default, and an empty variable counts as unset', () => {
  const defaults = { PUBLIC_URL: 'http://localhost:8080', RATE_LIMIT_FACTOR: 1, CHAIN_ID: 31337 }
  expect(parseEnv(Env, {})).toEqual(defaults)
  expect(parseEnv(Env, { PUBLIC_URL: '', CHAIN_ID: '' })).toEqual(defaults)
})

test('every invalid variable is named in one error', () => {
  expect(() => parseEnv(Env, { PUBLIC_URL: 'shop.example', RATE_LIMIT_FACTOR: '0', CHAIN_ID: '0.5' })).toThrow(
    /PUBLIC_URL[\s\S]*RATE_LIMIT_FACTOR[\s\S]*CHAIN_ID/,
  )
})

test.each(['1.5', 'true', '0x89', '137n', '1e3', ' 137'])('%j is no integer', (text) => {
  expect(() => parseEnv(Env, { CHAIN_ID: text })).toThrow('CHAIN_ID')
})

test('numbers and booleans are parsed from their decimal and literal form', () => {
  const Values = Type.Object({ RATIO: Type.Number(), COUNT: Type.Optional(Type.Integer()), ON: Type.Boolean() })
  expect(parseEnv(Values, { RATIO: '0.25', COUNT: '-3', ON: 'true' })).toEqual({ RATIO: 0.25, COUNT: -3, ON: true })
  expect(() => parseEnv(Values, { RATIO: '1', ON: 'yes' })).toThrow('ON')
})

test('a trailing slash of the public URL is accepted and removed', () => {
  expect(withoutTrailingSlash(parseEnv(Env, { PUBLIC_URL: 'https://shop.example/' }).PUBLIC_URL)).toBe(
    'https://shop.example',
  )
})

test.each([
  [60, 0.01, 1],
  [10, 0.25, 3],
  [10, 1, 10],
  [10, 50, 500],
])('a limit of %i with the factor %d is %i', (count, factor, limit) => {
  expect(rateLimit(count, factor)).toBe(limit)
})
