import { randomUUID } from 'node:crypto'
import { canStart } from '@nifty/dev-servers/can-start'
import { startRedis } from '@nifty/dev-servers/redis'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { testLog } from '@nifty/service-kit/testing/log'
import { Redis } from 'ioredis'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { startTestCatalog } from '../testing.ts'
import { createRedisCache } from './redis-cache.ts'
import { createMemoryCache } from './response-cache.ts'

const POLL = { timeout: 30_000 }

/** Starts two replicas that share a Redis server. */
async function startReplicas() {
  const server = await startRedis({ folder: await temporaryFolder('redis') })
  afterAll(server.stop)
  const catalog = await startTestCatalog({ redis: { url: server.url, signingKey: 'a key of the test catalog' } })
  const replica = await catalog.start()
  const redis = new Redis(server.url, { retryStrategy: () => 100 })
  redis.on('error', () => {})
  afterAll(async () => {
    redis.disconnect()
    await replica.stop()
  })
  return { server, catalog, replica, redis }
}

/** A cache as another process would create it. */
function cacheAt(url: string) {
  const local = createMemoryCache({ maxBytes: 10_000 })
  const cache = createRedisCache({ url, signingKey: 'a key of the test catalog', settings: {}, local, log: testLog })
  onTestFinished(cache.stop)
  return cache
}

const replicas = (await canStart('redis')) ? await startReplicas() : undefined

describe.skipIf(!replicas)('the market on a real Redis', () => {
  const { server, catalog, replica, redis } = replicas ?? ({} as NonNullable<typeof replicas>)

  /** The item's price at both replicas; fails unless both respond 200. */
  async function seen(id: string) {
    const bodies = await Promise.all([catalog.app, replica.app].map((app) => app.inject('/api/nfts/market')))
    expect(bodies.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    return bodies.map((response) => response.json().nfts.find(({ _id }: { _id: string }) => _id === id)?.price)
  }

  /** Changes an item's price and waits until both replicas respond with it. */
  async function expectChangeIsSeen() {
    const seller = await catalog.givenAccount({ admin: true })
    const item = await catalog.givenItem(seller.userId)
    await expect.poll(() => seen(item.itemId), POLL).toEqual([120, 120])
    await catalog.put(seller.userId, `${item.path}/set-price`, { price: 8, forSale: true })
    await expect.poll(() => seen(item.itemId), POLL).toEqual([8, 8])
    return item
  }
  const cachedKeys = () => redis.keys('nifty:market:*')

  test('every replica sees a change, and responses are cached', async () => {
    await expectChangeIsSeen()
    await expect.poll(async () => (await cachedKeys()).length, POLL).toBeGreaterThan(0)
  })

  test('a response that one process cached is read by another', async () => {
    const [one, two] = [cacheAt(server.url), cacheAt(server.url)]
    const body = Buffer.from('a response')
    const response = { key: randomUUID(), generation: 7, etag: 'tag', plain: body, brotli: body }
    const found = async () => {
      await one.put(response)
      return two.get(response.key, 7)
    }
    await expect.poll(found, POLL).toEqual(response)
    expect(await two.get(response.key, 8)).toBeUndefined()
  })

  test('after offers are switched off no response shows them that was cached before', async () => {
    const seller = await catalog.givenAccount({ admin: true })
    const { path } = await catalog.givenItem(seller.userId)
    await catalog.put(seller.userId, `${path}/offers`, { minimum: 50 })
    const offered = async ({ app }: Pick<typeof replica, 'app'>) =>
      (await app.inject('/api/nfts/market?sale=offers')).json().nfts.length
    await expect.poll(() => offered(catalog), POLL).toBe(1)
    await expect.poll(async () => (await cachedKeys()).length, POLL).toBeGreaterThan(0)

    const switched = await catalog.start({ offers: false })
    onTestFinished(switched.stop)

    expect(await offered(switched)).toBe(0)
    const another = await catalog.start()
    onTestFinished(another.stop)
    expect(await offered(another)).toBe(1)
  })

  test('changes are seen after Redis is flushed', async () => {
    await expectChangeIsSeen()
    await redis.flushall()
    await expectChangeIsSeen()
  })

  test('junk in place of every cached response is ignored', async () => {
    const item = await expectChangeIsSeen()
    for (const junk of ['', 'junk', '{"nfts":[]}', 'x'.repeat(100_000)]) {
      await Promise.all((await cachedKeys()).map((key) => redis.set(key, junk)))
      const late = await catalog.start()
      const response = await late.app.inject('/api/nfts/market')
      expect(response.statusCode).toBe(200)
      expect(response.json().nfts).toContainEqual(expect.objectContaining({ _id: item.itemId, price: 8 }))
      await late.stop()
    }
    await Promise.all((await cachedKeys()).map(async (key) => redis.del(key).then(() => redis.lpush(key, 'a list'))))
    await expectChangeIsSeen()
  })

  test('changes are seen while Redis is stopped, and the cache is shared again after its restart', async () => {
    await server.halt('SIGKILL')
    await expectChangeIsSeen()
    await server.resume()
    await expectChangeIsSeen()
    await expect
      .poll(async () => {
        await expectChangeIsSeen()
        return (await cachedKeys()).length
      }, POLL)
      .toBeGreaterThan(0)
  })
})
