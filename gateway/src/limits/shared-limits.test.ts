import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { endpoints } from '@nifty/api/endpoints/all'
import { type Limit, limits } from '@nifty/api/limits'
import { openCertificate } from '@nifty/api/minting/certificates'
import { openGift } from '@nifty/api/minting/gifts'
import { serviceNames } from '@nifty/api/services'
import { canStart } from '@nifty/dev-servers/can-start'
import { startRedis } from '@nifty/dev-servers/redis'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { afterAll, describe, expect, test } from 'vitest'
import { startTestGateway } from '../testing/gateway.ts'

const POLL = { timeout: 30_000 }
/** The sample: the help text begins with a 1 as well. */
const isShared = (value: 0 | 1) => new RegExp(`^nifty_rate_limits_shared ${value}$`, 'm')

async function startServer() {
  const folder = await temporaryFolder('redis')
  const server = await startRedis({ folder })
  afterAll(server.stop)
  return { ...server, pid: async () => Number(await readFile(join(folder, 'server.pid'), 'utf8')) }
}

const redis = (await canStart('redis')) ? await startServer() : undefined
const shared = Object.values<Limit>(limits).filter((limit) => limit.shared)

test('the limits of log-in, sign-up, reset, links of gifts and certificates, and forms are shared', () => {
  expect(shared.map(({ name }) => name).sort()).toEqual(['certificates', 'forms', 'gifts', 'login', 'reset', 'signup'])
})

test('secrets of links are tried under a shared limit', () => {
  const limitsOf = [openCertificate, openGift].map(({ limit }: { limit?: Limit }) => limit)
  expect(limitsOf).toEqual([limits.certificates, limits.gifts])
})

describe.skipIf(!redis)('two gateways of a store on a real Redis', () => {
  /** A gateway with a limit of three; each test has a store of its own. */
  async function startGateway(store: string, { perMinute }: Limit) {
    const factor = 2.9 / perMinute
    const options = { redisUrl: redis!.url, publicUrl: `http://${store}`, rateLimitFactor: factor }
    const { url, metrics } = await startTestGateway({}, options)
    await expect.poll(() => metrics.text(), POLL).toMatch(isShared(1))
    return { url, metrics }
  }

  test.each(shared)('share the limit "$name"', async (limit) => {
    const { path } = serviceNames.flatMap((name) => endpoints[name].public).find((each) => each.limit === limit)!
    const store = `${limit.name}.test`
    const [one, two] = await Promise.all([startGateway(store, limit), startGateway(store, limit)])
    const send = async ({ url }: { url: string }) => (await fetch(url + path, { method: 'POST' })).status

    expect([await send(one), await send(two), await send(one)]).toEqual([200, 200, 200])
    expect([await send(two), await send(one)]).toEqual([429, 429])
    const other = await startGateway(`other-${store}`, limit)
    expect(await send(other)).toBe(200)
  })

  test('report a Redis that hangs', async () => {
    const { metrics } = await startGateway('hanging.test', limits.signup)
    const pid = await redis!.pid()
    process.kill(pid, 'SIGSTOP')
    try {
      await expect.poll(() => metrics.text(), POLL).toMatch(isShared(0))
    } finally {
      process.kill(pid, 'SIGCONT')
    }
    await expect.poll(() => metrics.text(), POLL).toMatch(isShared(1))
  })

  test('count on their own while Redis is stopped, and together again after its restart', async () => {
    const store = 'stopped.test'
    const [one, two] = await Promise.all([startGateway(store, limits.signup), startGateway(store, limits.signup)])
    const send = async ({ url }: { url: string }) => (await fetch(`${url}/api/auth/signup`, { method: 'POST' })).status
    expect(await send(one)).toBe(200)

    await redis!.halt('SIGKILL')
    expect([await send(one), await send(one), await send(one)]).toEqual([200, 200, 429])
    expect([await send(two), await send(two), await send(two), await send(two)]).toEqual([200, 200, 200, 429])
    await expect.poll(() => two.metrics.text(), POLL).toMatch(isShared(0))

    await redis!.resume()
    await expect.poll(() => two.metrics.text(), POLL).toMatch(isShared(1))
    const [three, four] = await Promise.all([startGateway(store, limits.signup), startGateway(store, limits.signup)])
    expect([await send(three), await send(four), await send(three)]).toEqual([200, 200, 200])
    expect(await send(four)).toBe(429)
  })
})

test('a gateway whose Redis never was there counts on its own', async () => {
  const { url } = await startTestGateway({}, { redisUrl: 'redis://127.0.0.1:1', rateLimitFactor: 1.9 / 30 })
  const send = async () => (await fetch(`${url}/api/auth/login`, { method: 'POST' })).status
  expect([await send(), await send(), await send()]).toEqual([200, 200, 429])
})
