import { gzipSync } from 'node:zlib'
import { CACHE_MS_HEADER } from '@nifty/api/endpoint'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { sendCached } from './send-cached.ts'

const plain = Buffer.from('{"a":1}')

/** Sends a response that includes everything committed until `ageMs` ago. */
async function send({ ageMs = 0, headers = {} }: { ageMs?: number; headers?: Record<string, string> }) {
  const response = { key: 'key', generation: 1, etag: 'tag', plain, brotli: Buffer.from('brotli') }
  const responses = {
    get: async () => ({ response, asOf: performance.now() - ageMs }),
    counts: () => ({ hit: 0, miss: 0, joined: 0, stale: 0 }),
  }
  const app = Fastify()
  app.get('/', (request, reply) => sendCached(responses, request, reply, { key: 'key', build: async () => ({}) }))
  return app.inject({ url: '/', headers })
}

test('a gateway learns for how much of the second the response is current, nobody else does', async () => {
  const asGateway = { [CACHE_MS_HEADER]: 'requested' }
  const msOf = async (ageMs: number) => Number((await send({ ageMs, headers: asGateway })).headers[CACHE_MS_HEADER])
  expect(await msOf(400)).toBeLessThanOrEqual(600)
  expect(await msOf(0)).toBeGreaterThan(0)
  expect(await msOf(1_000)).toBe(0)
  expect(await msOf(5_000)).toBe(0)
  expect((await send({})).headers[CACHE_MS_HEADER]).toBeUndefined()
})

test('each coding has its own bytes, and a known ETag none', async () => {
  const get = async (headers: Record<string, string>) => {
    const { statusCode, rawPayload, headers: sent } = await send({ headers })
    return { status: statusCode, coding: sent['content-encoding'], vary: sent.vary, bytes: rawPayload }
  }
  const common = { status: 200, vary: 'Accept-Encoding, Authorization' }
  expect(await get({ 'accept-encoding': 'gzip, br' })).toEqual({
    ...common,
    coding: 'br',
    bytes: Buffer.from('brotli'),
  })
  expect(await get({ 'accept-encoding': 'gzip, br;q=0' })).toEqual({
    ...common,
    coding: 'gzip',
    bytes: gzipSync(plain),
  })
  expect(await get({})).toEqual({ ...common, coding: undefined, bytes: plain })
  expect(await get({ 'if-none-match': 'W/"tag"' })).toMatchObject({ status: 304, bytes: Buffer.alloc(0) })
})
