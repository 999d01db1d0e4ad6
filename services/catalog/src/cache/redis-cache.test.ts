import { createServer, type Socket } from 'node:net'
import { testLog } from '@nifty/service-kit/testing/log'
import { afterEach, expect, test } from 'vitest'
import { createRedisCache } from './redis-cache.ts'
import { type CachedResponse, createMemoryCache, type ResponseCache } from './response-cache.ts'
import { encode } from './signed-bytes.ts'

const secret = 'a-secret-of-the-tests'
const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

/** A fake Redis with GET and SET on `stored`. */
async function startFakeRedis() {
  const stored = new Map<string, Buffer>()
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let unread = Buffer.alloc(0)
    socket.on('error', () => {})
    socket.on('data', (data) => {
      unread = Buffer.concat([unread, data])
      for (let command = readCommand(unread); command; command = readCommand(unread)) {
        unread = unread.subarray(command.length)
        socket.write(reply(stored, command.words))
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const kill = async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url: `redis://127.0.0.1:${port}`, stored, kill }
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

function reply(stored: Map<string, Buffer>, [name, key, value]: Buffer[]): Buffer {
  const command = String(name).toUpperCase()
  if (command === 'SET') stored.set(String(key), Buffer.from(value!))
  if (command !== 'GET') return Buffer.from(command === 'INFO' ? '$11\r\nloading:0\r\n\r\n' : '+OK\r\n')
  const found = stored.get(String(key))
  return found
    ? Buffer.concat([Buffer.from(`$${found.length}\r\n`), found, Buffer.from('\r\n')])
    : Buffer.from('$-1\r\n')
}

const response = (key: string, generation = 1): CachedResponse => {
  const [plain, brotli] = [`plain ${key}`, 'brotli'].map((text) => Buffer.from(text))
  return { key, generation, etag: 'tag', plain: plain!, brotli: brotli! }
}

function replicaOf(url: string): ResponseCache {
  const cache = createRedisCache({
    url,
    signingKey: secret,
    settings: {},
    log: testLog,
    local: createMemoryCache({ maxBytes: 10_000 }),
  })
  cleanups.push(cache.stop)
  return cache
}

/** A cache that is connected to Redis. */
async function connectedCache(url: string, stored: Map<string, Buffer>) {
  const cache = replicaOf(url)
  const warm = async () => {
    await cache.put(response('warm'))
    return stored.size
  }
  await expect.poll(warm, { timeout: 30_000 }).toBeGreaterThan(0)
  return cache
}

test('a response that one replica cached is read by another', async () => {
  const { url, stored, kill } = await startFakeRedis()
  cleanups.push(kill)
  const [one, two] = [await connectedCache(url, stored), await connectedCache(url, stored)]
  await one.put(response('a'))
  await expect.poll(async () => await two.get('a', 1)).toEqual(response('a'))
  expect(await two.get('a', 2)).toBeUndefined()
  expect(await two.get('b', 1)).toBeUndefined()
})

test.each([
  ['junk', () => Buffer.from('{"nfts":"evil"}')],
  ['an empty value', () => Buffer.alloc(0)],
  ['a response signed with another secret', () => encode(response('a'), 'another secret')],
  ['a response that was modified', () => encode(response('a'), secret).fill('x', 40)],
  ['the response for another key', () => encode(response('b'), secret)],
  ['the response of another generation', () => encode(response('a', 2), secret)],
])('%s in Redis is ignored', async (_what, planted) => {
  const { url, stored, kill } = await startFakeRedis()
  cleanups.push(kill)
  const [one, two] = [await connectedCache(url, stored), await connectedCache(url, stored)]
  const before = stored.size
  await one.put(response('a'))
  await expect.poll(() => stored.size).toBe(before + 1)
  stored.set([...stored.keys()].at(-1)!, planted())
  expect(await two.get('a', 1)).toBeUndefined()
})

test('without Redis the process caches its own responses', async () => {
  const { url, stored, kill } = await startFakeRedis()
  const cache = await connectedCache(url, stored)
  await kill()
  await cache.put(response('a'))
  expect(await cache.get('a', 1)).toEqual(response('a'))
  expect(await cache.get('never', 1)).toBeUndefined()
})
