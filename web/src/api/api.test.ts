import { deleteAccount } from '@nifty/api/auth/deletion'
import { listCreators } from '@nifty/api/catalog/creators'
import { getNft } from '@nifty/api/catalog/public'
import { sendContactMessage, subscribeToNewsletter } from '@nifty/api/notification/public'
import { getOrder, listOrders } from '@nifty/api/payments/public'
import { afterEach, expect, test, vi } from 'vitest'
import { ApiError, fieldErrors, request, send } from './api.ts'
import { getSession, startSession } from './session.ts'
import { keepStepUp, showPromptsBy, stepUpOf } from './step-up.ts'
import { isKeyOf } from './use-endpoint.ts'

afterEach(() => vi.unstubAllGlobals())

const respond = (status: number, body: string) => vi.stubGlobal('fetch', async () => new Response(body, { status }))

test('a rejected request becomes an error with message and field errors', async () => {
  respond(
    400,
    JSON.stringify({
      success: false,
      code: 'invalid',
      message: 'No.',
      errors: [{ path: 'email', msg: 'Please enter a valid email' }],
    }),
  )

  const outcome = await send(subscribeToNewsletter, { body: {} })

  expect(outcome).toMatchObject({
    ok: false,
    error: { status: 400, code: 'invalid', message: 'No.', fromServer: true },
  })
  expect(outcome.ok ? {} : fieldErrors(outcome.error)).toEqual({ email: 'Please enter a valid email' })
})

test('a network error and a response without JSON are ApiErrors', async () => {
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')))
  await expect(request(listCreators)).rejects.toMatchObject({ status: 0, fromServer: false })
  respond(502, '<html>')
  await expect(request(listCreators)).rejects.toBeInstanceOf(ApiError)
  respond(200, 'not json')
  await expect(request(listCreators)).rejects.toMatchObject({ status: 200 })
})

test('a request without a response is aborted after its timeout', async () => {
  vi.stubGlobal(
    'fetch',
    (_path: string, { signal }: RequestInit) =>
      new Promise((_resolve, reject) => signal!.addEventListener('abort', () => reject(signal!.reason))),
  )
  await expect(request(listCreators, { timeoutMs: 5 })).rejects.toMatchObject({ status: 0 })
})

test('cached endpoints get the token too, and it stays when they refuse it', async () => {
  const sent: (string | null)[] = []
  vi.stubGlobal('fetch', async (_path: string, { headers }: { headers: Headers }) => {
    sent.push(headers.get('authorization'))
    return new Response('{}', { status: 401 })
  })
  for (const token of ['abc', null]) {
    startSession({ token: token!, userId: '1', username: '@ada' })
    await send(listCreators)
    await send(getNft, { params: { username: '@ada', contract: '0x1', identifier: '7' } })
    expect(getSession().token).toBe(token)
  }
  expect(sent).toEqual(['Bearer abc', 'Bearer abc', null, null])
})

test('only endpoints that are not public get the token, and their 401 ends the session', async () => {
  startSession({ token: 'abc', userId: '1', username: '@ada' })
  const sent: (string | null)[] = []
  vi.stubGlobal('fetch', async (_path: string, { headers }: { headers: Headers }) => {
    sent.push(headers.get('authorization'))
    return new Response('{}', { status: 401 })
  })

  await send(sendContactMessage, { body: {} })
  expect(getSession().token).toBe('abc')
  await send(listOrders)

  expect(sent).toEqual([null, 'Bearer abc'])
  expect(getSession()).toEqual({ token: null, userId: '1', username: '@ada' })
})

test('method, path parameters, query and body are sent as the endpoint declares them', async () => {
  const sent: unknown[] = []
  vi.stubGlobal('fetch', async (path: string, { method, body }: RequestInit) => {
    sent.push([method, path, body])
    return new Response('{}')
  })

  await request(getOrder, { params: { id: 'a/b' } })
  await request(listCreators, { query: { sort: 'best', limit: undefined } })
  await request(subscribeToNewsletter, { body: { email: 'ada@people.example' } })

  expect(sent).toEqual([
    ['GET', '/api/orders/a%2Fb', undefined],
    ['GET', '/api/creators?sort=best', undefined],
    ['POST', '/api/subscribe', '{"email":"ada@people.example"}'],
  ])
})

test('a cache key belongs to its endpoint with and without a query', () => {
  expect(isKeyOf(listCreators, '/api/creators?sort=best')).toBe(true)
  expect(isKeyOf(getOrder, '/api/orders/1')).toBe(true)
  expect(isKeyOf(getOrder, '/api/orders/1/cancel')).toBe(false)
  expect(isKeyOf(listCreators, ['lock-screen', '1'])).toBe(false)
})

test('a demanded step-up is asked for once by all requests that wait, and each is then sent again with the token', async () => {
  startSession({ token: 'abc', userId: '1', username: '@ada' })
  const sent: (string | null)[] = []
  vi.stubGlobal('fetch', async (_path: string, { headers }: { headers: Headers }) => {
    sent.push(headers.get('x-step-up'))
    return headers.has('x-step-up')
      ? new Response('{"success":true}')
      : new Response('{"code":"step_up_required"}', { status: 403 })
  })
  let prompts = 0
  showPromptsBy((answer) => {
    if (!answer) return
    prompts++
    // The first time the owner declines.
    if (prompts > 1) keepStepUp('proof', 'abc')
    answer(prompts > 1)
  })
  const remove = () => send(deleteAccount, { params: { id: '1' } })

  expect(await remove()).toMatchObject({ ok: false, error: { code: 'step_up_required' } })
  expect(await Promise.all([remove(), remove()])).toMatchObject([{ ok: true }, { ok: true }])
  expect(prompts).toBe(2)
  await send(listCreators)
  expect(sent).toEqual([null, null, null, 'proof', 'proof', null])
  expect(stepUpOf('another session')).toBeUndefined()
  showPromptsBy(() => {})
})
