import { accountChanged } from '@nifty/events/auth'
import { messageOf } from '@nifty/service-kit/testing/events'
import { testLog } from '@nifty/service-kit/testing/log'
import { type KyselyPlugin, sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startTestCatalog, wallet } from '../testing.ts'
import { createCachedResponses } from './cached-responses.ts'
import { createGeneration, readGeneration } from './generation.ts'
import { createMemoryCache, type ResponseCache } from './response-cache.ts'

const { app, db, start, consume, givenAccount, givenItem, put } = await startTestCatalog()
const seller = await givenAccount({ admin: true })

const rename = (trx: typeof db, id: string, name: string) =>
  trx.updateTable('item').set({ name }).where('id', '=', id).execute()
/** As visitors read it. */
const market = async () => (await app.inject('/api/nfts/market')).json() as { nfts: any[] }
const nameOf = async (id: string) => (await market()).nfts.find(({ _id }) => _id === id).name

test('a transaction that commits after one that began later is not missed', async () => {
  const [early, late] = [await givenItem(seller.userId), await givenItem(seller.userId)]
  const slow = await db.startTransaction().execute()
  await rename(slow, early.itemId, 'Early')
  await sql`set constraints all immediate`.execute(slow)
  await rename(db, late.itemId, 'Late')
  await expect.poll(() => nameOf(late.itemId)).toBe('Late')
  expect(await nameOf(early.itemId)).toBe('Dusk')
  await slow.commit().execute()
  await expect.poll(() => nameOf(early.itemId)).toBe('Early')
})

test('concurrent changes do not wait for each other', async () => {
  const [one, two] = [await givenItem(seller.userId), await givenItem(seller.userId)]
  const first = await db.startTransaction().execute()
  await rename(first, one.itemId, 'First')
  await sql`set constraints all immediate`.execute(first)
  await rename(db, two.itemId, 'Second')
  await first.rollback().execute()
  await expect.poll(() => nameOf(two.itemId)).toBe('Second')
})

test('a transaction bumps the generation once for many changes, and not at all if it changes nothing', async () => {
  const { itemId } = await givenItem(seller.userId)
  const before = await readGeneration(db)
  await db.transaction().execute(async (trx) => {
    await rename(trx, itemId, 'A')
    await rename(trx, itemId, 'B')
    await trx.updateTable('account').set({ description: 'Else' }).where('userId', '=', seller.userId).execute()
  })
  expect(await readGeneration(db)).toBe(before + 1)
  await rename(db, itemId, 'B')
  expect(await readGeneration(db)).toBe(before + 1)
})

test('an account without items does not bump the generation, one with items only for public fields', async () => {
  const collector = await givenAccount()
  await givenItem(seller.userId)
  const before = await readGeneration(db)
  const renamed = { ...collector, version: 2, lastName: 'New' }
  await consume(messageOf(accountChanged, renamed))
  await consume(messageOf(accountChanged, { ...seller, description: 'Else', version: 2, wallet: wallet() }))
  expect(await readGeneration(db)).toBe(before)
  await consume(messageOf(accountChanged, { ...seller, version: 3, lastName: 'New' }))
  expect(await readGeneration(db)).toBe(before + 1)
})

test('a replica sees a change that another one made', async () => {
  const replica = await start()
  const item = await givenItem(seller.userId)
  const seen = async () =>
    (await replica.app.inject('/api/nfts/market')).json().nfts.find((nft: { _id: string }) => nft._id === item.itemId)
  await expect.poll(seen).toMatchObject({ price: 120 })
  await put(seller.userId, `${item.path}/set-price`, { price: 8, forSale: true })
  await expect.poll(seen).toMatchObject({ price: 8 })
  await replica.stop()
})

test('concurrent requests for one key share one build', async () => {
  const responses = createResponses()
  let built = 0
  const build = async () => ({ built: ++built })
  const all = await Promise.all(Array.from({ length: 20 }, () => responses.get('key', build)))
  expect(new Set(all.map(({ response }) => response.plain.toString()))).toEqual(new Set(['{"built":1}']))
  await responses.get('key', build)
  expect(built).toBe(1)
  await responses.get('other', build)
  expect(built).toBe(2)
})

test('a response is built from one snapshot; later changes are in the next response', async () => {
  const responses = createResponses()
  const { itemId } = await givenItem(seller.userId)
  const read = async (snapshot: typeof db) =>
    (await snapshot.selectFrom('item').select('name').where('id', '=', itemId).executeTakeFirstOrThrow()).name
  const during = await responses.get('key', async (snapshot) => {
    const before = await read(snapshot)
    await rename(db, itemId, 'Meanwhile')
    return [before, await read(snapshot)]
  })
  expect(JSON.parse(during.response.plain.toString())).toEqual(['Dusk', 'Dusk'])
  expect((await responses.get('key', read, 'latest')).response.plain.toString()).toBe('"Meanwhile"')
})

test('a failed build rejects and is not cached', async () => {
  const responses = createResponses()
  await expect(responses.get('key', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect((await responses.get('key', async () => 'ok')).response.plain.toString()).toBe('"ok"')
})

test('the memory cache is bounded and evicts the least recently used response', async () => {
  const cache = createMemoryCache({ maxBytes: 3_000 })
  const body = Buffer.alloc(300)
  const response = (key: string) => ({ key, generation: 1, etag: '', plain: body, brotli: body })
  for (const key of ['a', 'b']) await cache.put(response(key))
  await cache.get('a', 1)
  await cache.put(response('c'))
  expect(await cache.get('a', 1)).toBeDefined()
  expect(await cache.get('b', 1)).toBeUndefined()
  expect(await cache.get('a', 2)).toBeUndefined()
})

test('while the database does not respond, visitors and customers get what was current within a minute', async () => {
  let fails = false
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (fails) throw Object.assign(new Error('the database is starting up'), { code: '57P03' })
      return result
    },
  }
  const generation = createGeneration({ db: db.withPlugin(plugin), log: testLog })
  const responses = createCachedResponses({ db, generation, cache: createMemoryCache({ maxBytes: 1_000_000 }) })
  const build = async () => 'a market'
  const freshness = ['current', 'latest'] as const
  const plain = async (fresh: (typeof freshness)[number]) =>
    (await responses.get('key', build, fresh)).response.plain.toString()
  const unavailable = { statusCode: 503, code: 'market_unavailable' }
  const realNow = performance.now.bind(performance)
  onTestFinished(() => void vi.restoreAllMocks())
  const pass = (ms: number) => vi.spyOn(performance, 'now').mockImplementation(() => realNow() + ms)

  await plain('current')
  fails = true
  pass(59_000)
  for (const fresh of freshness) {
    expect(await plain(fresh)).toBe('"a market"')
    await expect(responses.get('other', build, fresh)).rejects.toMatchObject(unavailable)
  }
  expect(responses.counts().stale).toBe(2)
  pass(60_000)
  for (const fresh of freshness) await expect(plain(fresh)).rejects.toMatchObject(unavailable)
})

test('what no process was asked for within the minute is sent where it has the generation that was read last', async () => {
  let [fails, hangs] = [false, false]
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (hangs) await new Promise(() => {})
      if (fails) throw Object.assign(new Error('the database is starting up'), { code: '57P03' })
      return result
    },
  }
  const shared = createMemoryCache({ maxBytes: 1_000_000 })
  const replica = (cache: ResponseCache) =>
    createCachedResponses({ db, cache, generation: createGeneration({ db: db.withPlugin(plugin), log: testLog }) })
  const [one, other] = [replica(shared), replica({ ...shared, findLast: () => undefined })]
  const build = async () => 'a market'
  const realNow = performance.now.bind(performance)
  onTestFinished(() => void vi.restoreAllMocks())
  const pass = (ms: number) => vi.spyOn(performance, 'now').mockImplementation(() => realNow() + ms)

  await one.get('key', build)
  pass(100_000)
  for (const each of [one, other]) await each.get('another', build)
  pass(150_000)
  hangs = true
  expect((await one.get('key', build)).response.plain.toString()).toBe('"a market"')
  hangs = false
  fails = true
  for (const each of [one, other]) expect((await each.get('key', build)).response.plain.toString()).toBe('"a market"')
  pass(165_000)
  for (const each of [one, other]) await expect(each.get('key', build)).rejects.toMatchObject({ statusCode: 503 })
})

test('an error that is not the database’s is none that a stale response replaces, nor is a change ever missed', async () => {
  const { itemId } = await givenItem(seller.userId)
  const responses = createResponses()
  const read = async (trx: Pick<typeof db, 'selectFrom'>) =>
    (await trx.selectFrom('item').select('name').where('id', '=', itemId).executeTakeFirstOrThrow()).name
  await responses.get('key', read, 'latest')
  await rename(db, itemId, 'Later')
  const build = async () => {
    throw new Error('a bug')
  }
  await expect(responses.get('key', build, 'latest')).rejects.toThrow('a bug')
  expect((await responses.get('key', read, 'latest')).response.plain.toString()).toBe('"Later"')
  expect(responses.counts().stale).toBe(0)
})

test('a database that hangs delays a visitor by a second at most, and its next response is used', async () => {
  const hanging = Promise.withResolvers<void>()
  let hangs = false
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (hangs) await hanging.promise
      return result
    },
  }
  const { itemId } = await givenItem(seller.userId)
  const generation = createGeneration({ db: db.withPlugin(plugin), log: testLog })
  const responses = createCachedResponses({ db, generation, cache: createMemoryCache({ maxBytes: 1_000_000 }) })
  const read = async (snapshot: Pick<typeof db, 'selectFrom'>) =>
    (await snapshot.selectFrom('item').select('name').where('id', '=', itemId).executeTakeFirstOrThrow()).name
  const plain = async () => (await responses.get('key', read)).response.plain.toString()
  const realNow = performance.now.bind(performance)
  onTestFinished(() => void vi.restoreAllMocks())

  await plain()
  await rename(db, itemId, 'Later')
  hangs = true
  vi.spyOn(performance, 'now').mockImplementation(() => realNow() + 500)
  expect(await plain()).toBe('"Dusk"')
  hangs = false
  expect(await plain()).toBe('"Later"')
  hanging.resolve()
})

const createResponses = () =>
  createCachedResponses({
    db,
    generation: createGeneration({ db, log: testLog }),
    cache: createMemoryCache({ maxBytes: 1_000_000 }),
  })

test('a request after a change does not wait for a response that was begun before it', async () => {
  const { itemId } = await givenItem(seller.userId)
  const responses = createResponses()
  const read = async (trx: Pick<typeof db, 'selectFrom'>) =>
    (await trx.selectFrom('item').select('name').where('id', '=', itemId).executeTakeFirstOrThrow()).name
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const slow = responses.get('key', async (trx) => {
    const name = await read(trx)
    begun.resolve()
    await ended.promise
    return name
  })
  await begun.promise
  await rename(db, itemId, 'Later')
  const { response } = await responses.get('key', read, 'latest')
  expect(response.plain.toString()).toBe('"Later"')
  ended.resolve()
  await slow
})
