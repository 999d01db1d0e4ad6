import { randomUUID } from 'node:crypto'
import { endpoint } from '@nifty/api/endpoint'
import { limits } from '@nifty/api/limits'
import { expect, test } from 'vitest'
import { createTestAuth } from '../testing/auth.ts'
import { testLog } from '../testing/log.ts'
import { createApp } from './app.ts'
import { accountGuards, createAuthenticate } from './authentication.ts'
import { registerRoute } from './routes.ts'

const auth = await createTestAuth()

/** An app whose limit of other endpoints is two requests; `forms` is narrower. */
function createTestApp() {
  const app = createApp({
    log: testLog,
    name: 'test',
    rateLimitFactor: 1.9 / limits.api.perMinute,
    guards: (app) => accountGuards(createAuthenticate(app, auth.sessions)),
  })
  app.register(async (app) => {
    for (const [path, limit] of [
      ['/me', undefined],
      ['/mine', undefined],
      ['/form', limits.forms],
    ] as const)
      registerRoute(app, endpoint({ method: 'GET', path, access: 'account', limit }), async () => ({}))
  })
  return async (userId: string, address: string, url = '/me') =>
    (await app.inject({ url, headers: { ...auth.bearer(userId), 'x-forwarded-for': address } })).statusCode
}

test('an account is limited wherever its requests come from, and others are not', async () => {
  const [request, userId] = [createTestApp(), randomUUID()]
  expect([await request(userId, '192.0.2.1'), await request(userId, '192.0.2.2', '/mine')]).toEqual([200, 200])
  expect(await request(userId, '192.0.2.3')).toBe(429)
  expect(await request(randomUUID(), '192.0.2.1')).toBe(200)
})

test('each limit of an account has a counter of its own', async () => {
  const [request, userId] = [createTestApp(), randomUUID()]
  for (const status of [200, 200, 429]) expect(await request(userId, '192.0.2.1')).toBe(status)
  expect(await request(userId, '192.0.2.1', '/form')).toBe(200)
  expect(await request(userId, '192.0.2.1', '/form')).toBe(429)
})
