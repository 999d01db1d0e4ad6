import { createServer, type Socket } from 'node:net'
import { testLog } from '@nifty/service-kit/testing/log'
import { afterEach, expect, test } from 'vitest'
import { createMemoryCache, type MarketCache, type ReadyAnswer } from './cache.ts'
import { createRedisCache } from './redis-cache.ts'
import { toBytes } from './signed-bytes.ts'

const secret = 'a-secret-of-the-tests'
const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

/** Speaks as much of Redis as the cache asks: GET and SET of what `kept` holds. */
async function playRedis() {
  const kept = new Map<string, Buffer>()
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let unread = Buffer.alloc(0)
    socket.on('error', () => {})
    socket.on('data', (data) => {
      unread = Buffer.concat([unread, data])
      for (let command = readCommand(unread); command; command = readCommand(unread)) {
        unread = unread.subarray(command.length)
        socket.write(reply(kept, command.words))
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const die = async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url: `redis://127.0.0.1:${port}`, kept, die }
}

function readCommand(bytes: Buffer): { words: Buffer[]; length: number } | undefined {
  let at = 0
  const line = () => {
    const end = bytes.indexOf('\r\n', at)
    const text = end < 0 ? undefined : bytes.subarray(at + 1, end).toString()
    at = end + 2
    return text
  }
  const count = line()
  if (count === undefined) return undefined
  const words: Buffer[] = []
  while (words.length < Number(count)) {
    const length = line()
    if (length === undefined || at + Number(length) + 2 > bytes.length) return undefined
    words.push(bytes.subarray(at, at + Number(length)))
    at += Number(length) + 2
  }
  return { words, length: at }
}

function reply(kept: Map<string, Buffer>, [name, key, value]: Buffer[]): Buffer {
  const command = String(name).toUpperCase()
  if (command === 'SET') kept.set(String(key), Buffer.from(value!))
  if (command !== 'GET') return Buffer.from(command === 'INFO' ? '$11\r\nloading:0\r\n\r\n' : '+OK\r\n')
  const found = kept.get(String(key))
  return found
    ? Buffer.concat([Buffer.from(`$${found.length}\r\n`), found, Buffer.from('\r\n')])
    : Buffer.from('$-1\r\n')
}

const answer = (key: string, generation = 1): ReadyAnswer => {
  const [plain, gzip, brotli] = [`plain ${key}`, 'gzip', 'brotli'].map((text) => Buffer.from(text))
  return { key, generation, etag: 'tag', plain: plain!, gzip: gzip!, brotli: brotli! }
}

function replicaOf(url: string): MarketCache {
  const cache = createRedisCache({ url, secret, log: testLog, near: createMemoryCache({ maxBytes: 10_000 }) })
  ends.push(cache.stop)
  return cache
}

/** Once the cache has its connection. */
async function sharing(url: string, kept: Map<string, Buffer>) {
  const cache = replicaOf(url)
  const warm = async () => {
    await cache.put(answer('warm'))
    return kept.size
  }
  await expect.poll(warm, { timeout: 30_000 }).toBeGreaterThan(0)
  return cache
}

test('an answer that one replica built is sent by the other', async () => {
  const { url, kept, die } = await playRedis()
  ends.push(die)
  const [one, two] = [await sharing(url, kept), await sharing(url, kept)]
  await one.put(answer('a'))
  await expect.poll(async () => await two.get('a', 1)).toEqual(answer('a'))
  expect(await two.get('a', 2)).toBeUndefined()
  expect(await two.get('b', 1)).toBeUndefined()
})

test.each([
  ['junk', () => Buffer.from('{"nfts":"evil"}')],
  ['nothing', () => Buffer.alloc(0)],
  ['an answer without our seal', () => toBytes(answer('a'), 'another secret')],
  ['an answer that was changed', () => toBytes(answer('a'), secret).fill('x', 40)],
  ['the answer to another question', () => toBytes(answer('b'), secret)],
  ['an answer of another time', () => toBytes(answer('a', 2), secret)],
])('%s in Redis is not believed', async (_what, planted) => {
  const { url, kept, die } = await playRedis()
  ends.push(die)
  const [one, two] = [await sharing(url, kept), await sharing(url, kept)]
  const before = kept.size
  await one.put(answer('a'))
  await expect.poll(() => kept.size).toBe(before + 1)
  kept.set([...kept.keys()].at(-1)!, planted())
  expect(await two.get('a', 1)).toBeUndefined()
})

test('without Redis the process keeps its own answers', async () => {
  const { url, kept, die } = await playRedis()
  const cache = await sharing(url, kept)
  await die()
  await cache.put(answer('a'))
  expect(await cache.get('a', 1)).toEqual(answer('a'))
  expect(await cache.get('never', 1)).toBeUndefined()
})
