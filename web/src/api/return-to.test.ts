import { beforeEach, expect, test, vi } from 'vitest'

const DAY_MS = 24 * 60 * 60 * 1000
const order = { path: '/orders/1', title: 'Your order' }

/** A tab: its modules anew, over the storage that the browser keeps. */
async function openTab(kept: Map<string, string>) {
  vi.resetModules()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  })
  return import('./return-to.ts')
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  return () => vi.useRealTimers()
})

test('what a visitor looked at is there for the account that logs in, until a day has passed', async () => {
  const kept = new Map<string, string>()
  ;(await openTab(kept)).rememberReturn(order)
  kept.set('userId', 'ada')
  const { readReturn } = await openTab(kept)
  expect(readReturn()).toMatchObject(order)
  vi.setSystemTime(Date.now() + DAY_MS + 1)
  expect(readReturn()).toBeUndefined()
})

test('what an account looked at is not there for another one', async () => {
  const kept = new Map([['userId', 'ada']])
  ;(await openTab(kept)).rememberReturn(order)
  kept.set('userId', 'ben')
  expect((await openTab(kept)).readReturn()).toBeUndefined()
  kept.set('userId', 'ada')
  expect((await openTab(kept)).readReturn()).toMatchObject(order)
})

test.each([
  'no JSON',
  'null',
  '[]',
  '{"path":"//evil.example","title":"x","at":9e15}',
  '{"path":"/\\\\evil.example","title":"x","at":9e15}',
  '{"path":"javascript:alert(1)","title":"x","at":9e15}',
  '{"path":"/orders/1","at":9e15}',
])('%s leads nowhere', async (text) => {
  expect((await openTab(new Map([['return_to', text]]))).readReturn()).toBeUndefined()
})

test('a browser that forbids the storage remembers nothing', async () => {
  const { rememberReturn, readReturn } = await openTab(new Map())
  const forbid = () => {
    throw new Error('forbidden')
  }
  vi.stubGlobal('localStorage', { getItem: forbid, setItem: forbid, removeItem: forbid })
  rememberReturn(order)
  expect(readReturn()).toBeUndefined()
})
