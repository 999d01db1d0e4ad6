import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { canStart } from '@nifty/dev-servers/can-start'
import { startRedis } from '@nifty/dev-servers/redis'
import { testLog } from '@nifty/service-kit/testing/log'
import { Redis } from 'ioredis'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { startTestCatalog } from '../testing.ts'
import { createMemoryCache } from './cache.ts'
import { createRedisCache } from './redis-cache.ts'

const PATIENCE = { timeout: 30_000 }

/** Two replicas that share a Redis of their own. */
async function startReplicas() {
  const folder = await mkdtemp(join(tmpdir(), 'nifty-redis-'))
  const server = await startRedis({ folder })
  afterAll(async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  })
  const catalog = await startTestCatalog({ redisUrl: server.url })
  const replica = await catalog.start()
  const operator = new Redis(server.url, { retryStrategy: () => 100 })
  operator.on('error', () => {})
  afterAll(async () => {
    operator.disconnect()
    await replica.stop()
  })
  return { server, catalog, replica, operator }
}

/** The cache of one more process. */
function cacheAt(url: string) {
  const near = createMemoryCache({ maxBytes: 10_000 })
  const cache = createRedisCache({ url, secret: 'a-secret-of-the-tests', near, log: testLog })
  onTestFinished(cache.stop)
  return cache
}

const world = (await canStart('redis')) ? await startReplicas() : undefined

describe.skipIf(!world)('the market on a real Redis', () => {
  const { server, catalog, replica, operator } = world ?? ({} as NonNullable<typeof world>)

  /** What both replicas show of an item; fails when one of them has anything but an answer. */
  async function seen(id: string) {
    const answers = await Promise.all([catalog.app, replica.app].map((app) => app.inject('/api/nfts/market')))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    return answers.map((answer) => answer.json().nfts.find(({ _id }: { _id: string }) => _id === id)?.price)
  }

  /** A work whose price is changed: both replicas show the first price, then the second. */
  async function sellsOn() {
    const seller = await catalog.givenAccount({ admin: true })
    const item = await catalog.givenItem(seller.userId)
    await expect.poll(() => seen(item.itemId), PATIENCE).toEqual([120, 120])
    await catalog.put(seller.userId, `${item.path}/set-price`, { price: 8, forSale: true })
    await expect.poll(() => seen(item.itemId), PATIENCE).toEqual([8, 8])
    return item
  }
  const kept = () => operator.keys('nifty:market:*')

  test('a change is seen at every replica, and the answers are kept', async () => {
    await sellsOn()
    await expect.poll(async () => (await kept()).length, PATIENCE).toBeGreaterThan(0)
  })

  test('what one process built, another one finds', async () => {
    const [one, two] = [cacheAt(server.url), cacheAt(server.url)]
    const body = Buffer.from('an answer')
    const answer = { key: randomUUID(), generation: 7, etag: 'tag', plain: body, gzip: body, brotli: body }
    const found = async () => {
      await one.put(answer)
      return two.get(answer.key, 7)
    }
    await expect.poll(found, PATIENCE).toEqual(answer)
    expect(await two.get(answer.key, 8)).toBeUndefined()
  })

  test('the store sells on when Redis is emptied', async () => {
    await sellsOn()
    await operator.flushall()
    await sellsOn()
  })

  test('junk in place of every answer is not shown to anybody', async () => {
    const item = await sellsOn()
    for (const junk of ['', 'junk', '{"nfts":[]}', 'x'.repeat(100_000)]) {
      await Promise.all((await kept()).map((key) => operator.set(key, junk)))
      const late = await catalog.start()
      const answer = await late.app.inject('/api/nfts/market')
      expect(answer.statusCode).toBe(200)
      expect(answer.json().nfts).toContainEqual(expect.objectContaining({ _id: item.itemId, price: 8 }))
      await late.stop()
    }
    await Promise.all((await kept()).map(async (key) => operator.del(key).then(() => operator.lpush(key, 'a list'))))
    await sellsOn()
  })

  test('the store sells on while Redis is stopped, and shares again when it is back', async () => {
    await server.halt('SIGKILL')
    await sellsOn()
    await server.resume()
    await sellsOn()
    await expect
      .poll(async () => {
        await sellsOn()
        return (await kept()).length
      }, PATIENCE)
      .toBeGreaterThan(0)
  })
})
