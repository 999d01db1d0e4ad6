import { beforeEach, expect, test, vi } from 'vitest'

const DAY_MS = 24 * 60 * 60 * 1000
const order = { path: '/orders/1', title: 'Your order' }

const storageOf = (kept: Map<string, string>) => ({
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => kept.set(key, value),
  removeItem: (key: string) => kept.delete(key),
})

/** A tab: its modules anew, over the storage that the browser keeps. */
async function openTab(kept: Map<string, string>, keptInTab = new Map<string, string>()) {
  vi.resetModules()
  vi.stubGlobal('localStorage', storageOf(kept))
  vi.stubGlobal('sessionStorage', storageOf(keptInTab))
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

test('accepted terms count in their tab, for their page, until it was reached; the recipient in every tab', async () => {
  const kept = new Map<string, string>()
  const inTab = new Map<string, string>()
  const choices = { terms: '1', deliverTo: 'custody' } as const
  ;(await openTab(kept, inTab)).rememberReturn({ ...order, choices })
  const reloaded = await openTab(kept, inTab)
  expect(reloaded.readReturn()?.choices).toEqual(choices)

  const other = await openTab(kept)
  expect(other.readReturn()?.choices).toEqual({ deliverTo: 'custody' })
  other.rememberReturn({ ...order, path: '/orders/2', choices: { deliverTo: 'wallet' } })
  const back = await openTab(kept, inTab)
  expect(back.readReturn()?.choices).toEqual({ deliverTo: 'wallet' })
  back.forgetReturn()
  expect([...kept, ...inTab]).toEqual([])
})

test('terms that the storage of all tabs has are not accepted', async () => {
  const kept = new Map<string, string>()
  ;(await openTab(kept)).rememberReturn({ ...order, choices: { deliverTo: 'wallet' } })
  kept.set('return_to', kept.get('return_to')!.replace('"deliverTo"', '"terms":"1","deliverTo"'))
  expect((await openTab(kept)).readReturn()?.choices?.terms).toBeUndefined()
})

test.each(['no JSON', 'null', '[]'])('%s leads nowhere', async (text) => {
  expect((await openTab(new Map([['return_to', text]]))).readReturn()).toBeUndefined()
})

test.each([
  { path: '//evil.example' },
  { path: '/\\evil.example' },
  { path: '/' },
  { path: 'javascript:alert(1)' },
  { path: 'https://evil.example' },
  { title: '' },
  { userId: 'ben' },
  { at: 0 },
])('a page that is kept with %j leads nowhere', async (change) => {
  const kept = { ...order, userId: null, at: Date.now() }
  const read = async (text: object) => (await openTab(new Map([['return_to', JSON.stringify(text)]]))).readReturn()
  expect(await read(kept)).toMatchObject(order)
  expect(await read({ ...kept, ...change })).toBeUndefined()
})

test('a browser that forbids the storage remembers nothing', async () => {
  const { rememberReturn, readReturn } = await openTab(new Map())
  const forbid = () => {
    throw new Error('forbidden')
  }
  const forbidden = { getItem: forbid, setItem: forbid, removeItem: forbid }
  vi.stubGlobal('localStorage', forbidden)
  vi.stubGlobal('sessionStorage', forbidden)
  rememberReturn(order)
  expect(readReturn()).toBeUndefined()
})
