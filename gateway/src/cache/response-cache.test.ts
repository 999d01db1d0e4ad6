import { expect, test } from 'vitest'
import { createResponseCache } from './response-cache.ts'

const response = (body: string) => ({
  route: '/list',
  etag: `W/"${body}"`,
  headers: ['etag', 'x'],
  headersOf304: [],
  body: Buffer.from(body),
})

function createCache(maxBytes = 10_000) {
  const clock = { now: 0 }
  return { clock, cache: createResponseCache({ maxBytes, now: () => clock.now }) }
}

test('a response is never returned at its end or later, and not for another address or coding', () => {
  const { clock, cache } = createCache()
  cache.put('/list', 'br', response('one'), 1_000)

  clock.now = 999
  expect(cache.get('/list', 'br')?.body.toString()).toBe('one')
  expect(cache.get('/list', 'gzip')).toBeUndefined()
  expect(cache.get('/list?', 'br')).toBeUndefined()
  expect(cache.get('/List', 'br')).toBeUndefined()

  clock.now = 1_000
  expect(cache.get('/list', 'br')).toBeUndefined()
})

test('a response is a stale one for a minute, unless there is none any more', () => {
  const { clock, cache } = createCache()
  for (const encoding of ['br', 'gzip'] as const) cache.put('/list', encoding, response('one'), 1_000)
  clock.now = 59_999
  expect(cache.getStale('/list', 'br')?.body.toString()).toBe('one')
  expect(cache.getStale('/other', 'br')).toBeUndefined()
  clock.now = 60_000
  expect(cache.getStale('/list', 'br')).toBeUndefined()
  clock.now = 0
  cache.remove('/list')
  for (const encoding of ['br', 'gzip'] as const) expect(cache.getStale('/list', encoding)).toBeUndefined()
})

test('of two responses that were requested at once the one that may be kept longer stays', () => {
  const { cache } = createCache()
  cache.put('/list', 'br', response('newer'), 900)
  cache.put('/list', 'br', response('older'), 800)
  expect(cache.get('/list', 'br')?.body.toString()).toBe('newer')
})

test('a response that is replaced again and again does not evict others', () => {
  const { cache } = createCache(3_000)
  cache.put('/other', 'br', response('x'.repeat(1_000)), 100)
  for (let until = 1; until < 10; until++) cache.put('/list', 'br', response('x'.repeat(1_000)), until)
  expect(cache.get('/other', 'br')).toBeDefined()
})

test('the cache is bounded and evicts the least recently used response', () => {
  const { cache } = createCache(3_000)
  for (const path of ['/a', '/b']) cache.put(path, 'identity', response('x'.repeat(1_200)), 1)
  cache.get('/a', 'identity')
  cache.put('/c', 'identity', response('x'.repeat(1_200)), 1)
  expect(['/a', '/b', '/c'].filter((path) => cache.get(path, 'identity'))).toEqual(['/a', '/c'])
  cache.put('/large', 'identity', response('x'.repeat(4_000)), 1)
  expect(['/a', '/c', '/large'].filter((path) => cache.get(path, 'identity'))).toEqual(['/a', '/c'])
})
