import { getPublicProfile } from '@nifty/api/auth/public'
import { listTopItems } from '@nifty/api/catalog/public'
import { CACHE_MS_HEADER } from '@nifty/api/endpoint'
import { createApp } from '@nifty/service-kit/http/app'
import { testLog } from '@nifty/service-kit/testing/log'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import type { GatewayOptions } from '../gateway.ts'
import { startTestGateway, stub } from '../testing/gateway.ts'
import { requestText, sendRaw } from '../testing/raw-http.ts'

const path = listTopItems.path
/** Headers that differ between two responses. */
const ofOne = ['date', 'x-request-id', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']

afterEach(() => vi.restoreAllMocks())

type Changes = Record<string, string | undefined>

/**
 * A gateway in front of a catalog whose responses count its requests; `changes` are headers of its responses. Time
 * stands still but for `clock`.
 */
async function startGateway(
  form: 'in process' | 'over the network',
  changes: Changes = {},
  options: Partial<GatewayOptions> = {},
) {
  const start = performance.now()
  const stopped = vi.spyOn(performance, 'now').mockReturnValue(start)
  const clock = { set: (ms: number) => void stopped.mockReturnValue(start + ms) }
  const requests: { url: string; headers: Record<string, unknown> }[] = []
  const state = { status: 200, hangs: false, onRequest: () => {} }
  const catalog = createApp({ log: testLog, name: 'catalog' })
  stub(catalog, path, async (request, reply) => {
    requests.push({ url: request.url, headers: { ...request.headers } })
    state.onRequest()
    if (state.hangs) await new Promise(() => {})
    const body = Buffer.from(`{"request":${requests.length}}`)
    const headers = {
      etag: `W/"${requests.length}"`,
      'cache-control': 'no-cache',
      [CACHE_MS_HEADER]: '1000',
      ...changes,
    }
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) reply.header(name, value)
    return reply.code(state.status).type('application/json').send(body)
  })
  const url = form === 'in process' ? undefined : await catalog.listen({ host: '127.0.0.1', port: 0 })
  if (url) onTestFinished(() => catalog.close())
  const gateway = await startTestGateway({ catalog: url ? { url } : { app: catalog } }, options)
  const get = async (headers: Record<string, string> = {}, { query = '', method = 'GET' } = {}) => {
    const response = await fetch(gateway.url + path + query, { method, headers })
    return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() }
  }
  return { ...gateway, requests, state, clock, get }
}

const forms = ['in process', 'over the network'] as const

test.each(forms)('%s: a second visitor gets the same response, without a request to the service', async (form) => {
  const { get, requests, metrics } = await startGateway(form)
  const first = await get({ cookie: 'a=b', 'x-forwarded-for': '6.6.6.6', 'x-internal-cache-ms': '9' })
  const second = await get({ cookie: 'c=d' })

  expect([second.status, second.body]).toEqual([200, '{"request":1}'])
  expect(requests).toHaveLength(1)
  const same = ({ headers }: typeof first) => Object.entries(headers).filter(([name]) => !ofOne.includes(name))
  expect(same(second)).toEqual(expect.arrayContaining(same(first)))
  expect(same(second)).toHaveLength(same(first).length)
  expect(second.headers['content-security-policy']).toContain("default-src 'none'")
  expect(second.headers['x-request-id']).toMatch(/^[\w-]{36}$/)
  expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id'])
  for (const { headers } of [first, second]) expect(headers[CACHE_MS_HEADER]).toBeUndefined()
  // No header of a client reaches the service: it could change what others get.
  expect(requests[0]!.headers).toMatchObject({ [CACHE_MS_HEADER]: 'requested', 'x-forwarded-for': '127.0.0.1' })
  expect(requests[0]!.headers.cookie).toBeUndefined()
  const text = await metrics.registry.metrics()
  expect(text).toContain(`nifty_http_request_duration_seconds_count{method="GET",route="${path}",status="200"} 2`)
  expect(text).toMatch(/nifty_gateway_cached_responses_total 1\b/)
})

test.each(forms)('%s: a client with the ETag gets a 304 without a body, also from the cache', async (form) => {
  const { get, requests } = await startGateway(form)
  for (const etag of ['W/"1"', '"1"', 'W/"0", W/"1"', '*']) {
    const { status, body, headers } = await get({ 'if-none-match': etag })
    expect([status, body, headers.etag, headers['content-type']]).toEqual([304, '', 'W/"1"', undefined])
    expect(headers['x-content-type-options']).toBe('nosniff')
  }
  expect((await get({ 'if-none-match': 'W/"2"' })).status).toBe(200)
  expect(requests).toHaveLength(1)
})

test.each(forms)('%s: a token, a body, another method, query or coding is a request of its own', async (form) => {
  const { get, requests, url } = await startGateway(form)
  await get({ 'accept-encoding': 'identity' })
  await get()
  expect(requests).toHaveLength(2)
  await sendRaw(url, requestText('GET', path, [], 'x'))
  expect(requests).toHaveLength(3)
  const asked = async (...request: Parameters<typeof get>) => {
    const before = requests.length
    await get(...request)
    return requests.length - before
  }
  expect(await asked({ authorization: 'Bearer x' })).toBe(1)
  expect(requests.at(-1)!.headers).toMatchObject({ authorization: 'Bearer x' })
  expect(requests.at(-1)!.headers[CACHE_MS_HEADER]).toBeUndefined()
  expect(await asked({}, { method: 'HEAD' })).toBe(1)
  expect(await asked({}, { query: '?a=1' })).toBe(1)
  expect(await asked({}, { query: '?' })).toBe(1)
  expect(await asked()).toBe(0)
})

test.each([
  ['a cookie', { 'set-cookie': 'a=b' }],
  ['no ETag', { etag: undefined }],
  ['no time', { [CACHE_MS_HEADER]: '0' }],
  ['a time that is no number', { [CACHE_MS_HEADER]: 'long' }],
])('a response with %s is not cached', async (_, headers: Changes) => {
  const { get, requests } = await startGateway('over the network', headers)
  await get()
  await get()
  expect(requests).toHaveLength(2)
})

test.each([404, 500, 503])('a response with status %i is passed on and not cached', async (status) => {
  const { get, state, requests } = await startGateway('in process')
  state.status = status
  expect((await get()).status).toBe(status)
  state.status = 200
  expect((await get()).status).toBe(200)
  expect(requests).toHaveLength(2)
})

test('whatever the service allows, a response is not sent a second after it was requested', async () => {
  const { get, requests, clock } = await startGateway('in process', { [CACHE_MS_HEADER]: '3600000' })
  await get()
  clock.set(1_000)
  expect((await get()).body).toBe('{"request":2}')
  expect(requests).toHaveLength(2)
})

test('a response is as old as its request to the service', async () => {
  const { get, requests, state, clock } = await startGateway('in process')
  state.onRequest = () => clock.set(600)
  await get()
  clock.set(999)
  await get()
  expect(requests).toHaveLength(1)
  clock.set(1_000)
  await get()
  expect(requests).toHaveLength(2)
})

test('a cached response is sent only to requests that pass the checks of all others', async () => {
  const { get, url } = await startGateway('in process')
  await get({ 'accept-encoding': 'identity' })
  const many = Array.from({ length: 100 }, (_, n) => `X-${n}: 1`)
  const ask = async (...headers: string[]) =>
    (await sendRaw(url, [`GET ${path} HTTP/1.1`, ...headers, 'Connection: close', '', ''].join('\r\n'))).status
  expect(await ask('Host: a')).toBe(200)
  expect(await ask()).toBe(400)
  expect(await ask('Host: a', ...many)).toBe(431)
})

test('a gateway that drains closes the connection after a response that it could have had from the cache', async () => {
  const { app, get } = await startGateway('in process', {}, { drainSeconds: 1 })
  await get()
  const closed = app.close()
  await expect.poll(async () => (await get()).headers.connection).toBe('close')
  await closed
})

test.each(forms)(
  '%s: a visitor gets the response of the last minute in place of an error, others the error',
  async (form) => {
    const { get, state, clock } = await startGateway(form)
    await get()
    state.status = 503
    clock.set(59_000)
    expect(await get()).toMatchObject({ status: 200, body: '{"request":1}' })
    expect(await get({ 'if-none-match': '"1"' })).toMatchObject({ status: 304, body: '' })
    expect((await get({ authorization: 'Bearer x' })).status).toBe(503)
    expect((await get({}, { query: '?other' })).status).toBe(503)
    state.status = 404
    expect((await get()).status).toBe(404)
    state.status = 503
    expect((await get()).status).toBe(503)
  },
)

test('a service that hangs is not waited for where there is a response of the last minute', async () => {
  const { get, state, clock, requests } = await startGateway('in process')
  await get()
  clock.set(30_000)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  state.hangs = true
  const response = get()
  await vi.waitFor(() => expect(requests).toHaveLength(2))
  await vi.advanceTimersByTimeAsync(4_100)
  expect(await response).toMatchObject({ status: 200, body: '{"request":1}' })
})

test('a response that is kept and not cached is requested each time, and sent while the service is away', async () => {
  const auth = createApp({ log: testLog, name: 'auth' })
  let requests = 0
  stub(auth, getPublicProfile.path, async () => ({ request: ++requests }))
  const url = await auth.listen({ host: '127.0.0.1', port: 0 })
  const gateway = await startTestGateway({ auth: { url } })
  const profile = async () => {
    const response = await fetch(`${gateway.url}/api/users/profile/ada`)
    return [response.status, await response.json()]
  }
  expect([await profile(), await profile()]).toEqual([
    [200, { request: 1 }],
    [200, { request: 2 }],
  ])
  await auth.close()
  expect(await profile()).toEqual([200, { request: 2 }])
  const { status } = await fetch(`${gateway.url}/api/users/profile/ada`, { headers: { 'if-none-match': '*' } })
  expect(status).toBe(200)
})
