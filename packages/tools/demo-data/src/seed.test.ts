import { setTimeout as sleep } from 'node:timers/promises'
import { perService } from '@nifty/api/services'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { HttpClient } from './api-client.ts'
import { demoDataset, featuredWorks } from './dataset.ts'
import { seedDemo } from './seed.ts'

/** A store that takes half a second for a mint. With `busy` it is unavailable for the first call of each kind. */
function fakeStore({ busy = false, deleted = '', listed = 2 } = {}) {
  const state = { started: 0, inFlight: 0 }
  const called = new Set<string>()
  const covers: string[] = []
  const isFirst = (call: string) => busy && !called.has(call) && called.add(call)
  const client: HttpClient = {
    inject: async ({ url, method }) => {
      if (isFirst(`${method} ${url}`)) return { statusCode: 503, body: 'unavailable', json: () => ({}) }
      if (url.endsWith('/cover')) covers.push(url)
      if (url.endsWith('/mints')) {
        state.started++
        state.inFlight++
        await sleep(500)
        state.inFlight--
      }
      const body = {
        success: true,
        token: 'token',
        userId: 'id',
        username: '@user',
        message: 'sign this',
        total: listed,
        _id: `item ${state.started}`,
      }
      return { statusCode: 200, body: '', json: () => body }
    },
  }
  const operate = async (call: string) => {
    if (isFirst(call)) throw Object.assign(new Error('The auth service is unavailable'), { statusCode: 503 })
  }
  const confirmEmail = async (email: string) => {
    if (email.includes(deleted) && deleted) throw Object.assign(new Error('gone'), { code: 'account_not_found' })
    await operate('confirm')
  }
  const featured: string[][] = []
  const operator = {
    confirmEmail,
    grantAdmin: () => operate('grant'),
    feature: async (itemIds: string[]) => void featured.push(itemIds),
  }
  return { state, featured, covers, operator, clients: perService(() => client), calls: called }
}

function seed(options: Pick<Parameters<typeof seedDemo>[0], 'clients' | 'works' | 'operator'>) {
  const chain = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response('{}'))
  onTestFinished(() => chain.mockRestore())
  return seedDemo({
    ...options,
    progress: { read: async () => undefined, write: async () => {} },
    log: { error: () => {} },
    print: () => {},
    onMinted: () => {},
    chainRpcUrl: 'http://chain.test',
  })
}

test('stop waits for the mints in flight, so that the store can stop after it', { timeout: 60_000 }, async () => {
  const { state, clients, operator } = fakeStore()
  const seeding = await seed({ clients, operator, works: 12 })
  seeding.presentable.catch(() => {})
  await vi.waitUntil(() => state.started >= 3, { timeout: 50_000, interval: 10 })

  await seeding.stop()

  expect(state.inFlight).toBe(0)
})

test('the featured works are minted first, six of different artists', { timeout: 60_000 }, async () => {
  const { featured, clients, operator } = fakeStore()
  const seeding = await seed({ clients, operator, works: 12 })
  seeding.presentable.catch(() => {})
  await vi.waitUntil(() => featured.length > 0, { timeout: 50_000, interval: 10 })
  await seeding.stop()

  expect(featured[0]).toHaveLength(6)
  const works = featuredWorks(demoDataset().works)
  expect(works.every(({ forSale }) => forSale)).toBe(true)
  expect(new Set(works.map(({ creator }) => creator)).size).toBe(6)
})

test('a store is not presentable before its works are featured', async () => {
  const { clients, operator, state } = fakeStore()
  const featured = Promise.withResolvers<void>()
  const feature = vi.fn(() => featured.promise)
  const seeding = await seed({ clients, operator: { ...operator, feature }, works: 2 })
  let isPresentable = false
  const presentable = seeding.presentable.then(() => {
    isPresentable = true
  })

  await vi.waitUntil(() => feature.mock.calls.length > 0 && state.inFlight === 0, { timeout: 50_000 })
  expect(isPresentable).toBe(false)
  featured.resolve()
  await presentable

  await seeding.stop()
})

test('a seeding counts the works that the market lists and those that it does not list yet', async () => {
  const { clients, operator } = fakeStore({ listed: 5 })
  const seeding = await seed({ clients, operator, works: 12 })
  seeding.presentable.catch(() => {})

  expect(await seeding.countWorks()).toEqual({ listed: 5, left: 7 })

  await seeding.stop()
})

test('the artists of the featured works have a cover', { timeout: 60_000 }, async () => {
  const { covers, clients, operator } = fakeStore()
  const seeding = await seed({ clients, operator, works: 2 })
  await seeding.presentable
  await vi.waitUntil(() => covers.length === 2, { timeout: 50_000, interval: 10 })
  await seeding.stop()
})

test('a service that is busy for a moment does not end the seeding', { timeout: 60_000 }, async () => {
  const { state, clients, operator, calls } = fakeStore({ busy: true })
  const seeding = await seed({ clients, operator, works: 2 })
  await seeding.presentable
  await vi.waitUntil(() => [...calls].some((call) => call.includes('avatar')), { timeout: 50_000 })
  await seeding.stop()

  expect([...calls]).toEqual(expect.arrayContaining(['confirm', 'grant', expect.stringContaining('/mints')]))
  expect(state.started).toBe(2)
})

test('a store whose demo account was deleted starts again and goes on without it', { timeout: 60_000 }, async () => {
  const { works, creators } = demoDataset({ works: 2 })
  const gone = creators.find(({ username }) => username === works[0]!.creator)!
  const { state, clients, operator } = fakeStore({ deleted: gone.email })
  const seeding = await seed({ clients, operator, works: 2 })
  await seeding.presentable
  await vi.waitUntil(() => state.started === 1 && state.inFlight === 0, { timeout: 50_000 })
  await seeding.stop()

  expect(seeding.accounts.map(({ email }) => email)).not.toContain(gone.email)
  expect(state.started).toBe(1)
})
