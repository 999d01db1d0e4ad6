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
