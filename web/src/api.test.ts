import { afterEach, expect, test, vi } from 'vitest'
import { ApiError, fieldErrors, request, send, withQuery } from './api.ts'
import { getSession, startSession } from './session.ts'

afterEach(() => vi.unstubAllGlobals())

const answer = (status: number, body: string) => vi.stubGlobal('fetch', async () => new Response(body, { status }))

test('what the store refuses arrives as an error with its words and its fields', async () => {
  answer(
    400,
    JSON.stringify({
      success: false,
      code: 'invalid',
      message: 'No.',
      errors: [{ path: 'email', msg: 'Please enter a valid email' }],
    }),
  )

  const outcome = await send('/api/subscribe')

  expect(outcome).toMatchObject({
    ok: false,
    error: { status: 400, code: 'invalid', message: 'No.', fromServer: true },
  })
  expect(outcome.ok ? {} : fieldErrors(outcome.error)).toEqual({ email: 'Please enter a valid email' })
})

test('no answer, and one that is no JSON, are errors of the same kind', async () => {
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')))
  await expect(request('/api/creators')).rejects.toMatchObject({ status: 0, fromServer: false })
  answer(502, '<html>')
  await expect(request('/api/creators')).rejects.toBeInstanceOf(ApiError)
  answer(200, 'not json')
  await expect(request('/api/creators')).rejects.toMatchObject({ status: 200 })
})

test('a store that hangs is given up on', async () => {
  vi.stubGlobal(
    'fetch',
    (_path: string, { signal }: RequestInit) =>
      new Promise((_resolve, reject) => signal!.addEventListener('abort', () => reject(signal!.reason))),
  )
  await expect(request('/api/creators', { timeoutMs: 5 })).rejects.toMatchObject({ status: 0 })
})

test('the token goes only where it is asked for, and a 401 there ends the session', async () => {
  startSession({ token: 'abc', userId: '1', username: '@ada' })
  const sent: (string | null)[] = []
  vi.stubGlobal('fetch', async (_path: string, { headers }: { headers: Headers }) => {
    sent.push(headers.get('authorization'))
    return new Response('{}', { status: 401 })
  })

  await send('/api/contact')
  expect(getSession().token).toBe('abc')
  await send('/api/orders', { withToken: true })

  expect(sent).toEqual([null, 'Bearer abc'])
  expect(getSession()).toEqual({ token: null, userId: '1', username: '@ada' })
})

test('one question has one key', () => {
  expect(withQuery('/api/nfts/market', { page: 1, limit: 200, search: '', category: undefined })).toBe(
    '/api/nfts/market?page=1&limit=200',
  )
})
