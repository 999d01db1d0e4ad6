import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Nft } from '@nifty/api/catalog/public'
import { programs, serviceNames } from '@nifty/api/services'
import { openShop, type Shop } from '@nifty/chaos/campaign/shop'
import { runRows } from '@nifty/chaos/faults/faults'
import { canStart } from '@nifty/dev-servers/can-start'
import type { KafkaServer } from '@nifty/dev-servers/kafka'
import { resourceName } from '@nifty/service-kit/base/resources'
import { createApiClient, logIn } from '@nifty/testkit/api-client'
import { connectCluster } from '@nifty/testkit/cluster'
import { violations } from '@nifty/testkit/invariants'
import { type Buyer, purchase, type Sale } from '@nifty/testkit/purchase'
import { quickChain } from '@nifty/testkit/store'
import { watchPrices } from '@nifty/testkit/watch-prices'
import { workAndOwner } from '@nifty/testkit/works'
import { Kafka } from 'kafkajs'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { operate } from './restored-store.ts'

const REPLICAS = 2
const RESOURCE_PREFIX = 'gallery'
const TIMEOUTS = { timeout: 120_000, interval: 250 }

const possible = (await canStart('kafka')) && (await canStart('redis'))

describe.skipIf(!possible)('the store as a cluster', () => {
  let shop: Shop
  let store: Shop['store']
  let chain: Shop['chain']
  let cluster: ReturnType<typeof connectCluster>
  let buyers: Buyer[]
  let works: Nft[]
  let sold: Sale[]
  let kafka: KafkaServer | undefined

  beforeAll(async () => {
    vi.stubEnv('RESOURCE_PREFIX', RESOURCE_PREFIX)
    shop = await openShop({
      log: () => {},
      works: 36,
      launcher: 'cluster/main.ts',
      env: { ...quickChain, REPLICAS: String(REPLICAS) },
    })
    ;({ store, chain, buyers, works } = shop)
    cluster = connectCluster(store.folder)
  }, 300_000)
  afterAll(async () => {
    vi.unstubAllEnvs()
    await shop?.close()
    await kafka?.stop()
    await store?.remove()
  })

  test('every purchase completes, and none twice, while each process is killed once', {
    timeout: 400_000,
  }, async () => {
    const victims = Array.from({ length: REPLICAS }, (_, place) =>
      programs.map((kind) => `${kind}-${place + 1}`),
    ).flat()
    const sales: ReturnType<typeof purchase>['sale'][] = []
    const successors: Promise<void>[] = []
    for (const [place, victim] of victims.entries()) {
      // One process of each program may be down at a time: the second is killed after the first is ready again.
      if (place % programs.length === 0) await Promise.all(successors.splice(0))
      const { sale, reached } = purchase(store.run, buyers[place % buyers.length]!, works[place]!)
      sales.push(sale)
      // Killed in turn during the first request, before the payment is received, and during the delivery.
      await [sleep(20), reached.ordered, reached.paid][place % 3]
      successors.push(cluster.kill(victim))
    }
    await Promise.all(successors)

    sold = await Promise.all(sales)
    expect(await violations(store.run, chain, sold)).toEqual([])
    expect(await cluster.processes()).toEqual(victims.map(() => expect.objectContaining({ starts: 2, ready: true })))
  })

  test('each process exports its own metrics, and one internal address per program serves them', async () => {
    const metricsAt = async (url: string) => (await fetch(`${url}/metrics`)).text()
    const processes = await cluster.processes()
    expect(new Set(processes.map(({ internalUrl }) => internalUrl)).size).toBe(programs.length * REPLICAS)
    const internalUrls = await cluster.internalUrls()
    expect(Object.keys(internalUrls).sort()).toEqual([...programs].sort())
    for (const url of [...processes.map(({ internalUrl }) => internalUrl!), ...Object.values(internalUrls)])
      expect(await metricsAt(url)).toMatch(/^process_cpu_/m)
  })

  test('visitors get no error, and every sale completes, while PostgreSQL recovers from a crash and is switched over', {
    timeout: 600_000,
  }, async () => {
    const lines: string[] = []
    const { report } = await runRows({ ...shop, works: works.splice(-13) }, ['postgres-crashes', 'switch-over'], {
      log: (line) => lines.push(line),
      perFault: 5,
      before: sold,
    })
    expect(report.violations, lines.join('\n')).toEqual([])
    expect(report.metrics.reconcile).toBe('Balanced.')
    expect(report.metrics['switch-over']).toContain('refused: 503 busy')
  })

  test('topics and consumer groups carry the prefix', async () => {
    const admin = new Kafka({ brokers: [await cluster.brokers()] }).admin()
    await admin.connect()
    const topics = (await admin.listTopics()).filter((topic) => !topic.startsWith('__'))
    const groups = (await admin.listGroups()).groups.map(({ groupId }) => groupId)
    await admin.disconnect()
    const names = serviceNames.map((name) => `${RESOURCE_PREFIX}-${name}`)
    expect(topics.filter((topic) => !names.includes(topic))).toEqual([
      expect.stringMatching(new RegExp(`^${RESOURCE_PREFIX}-store\\.[0-9a-f]+$`)),
    ])
    expect(topics).toEqual(expect.arrayContaining([`${RESOURCE_PREFIX}-payments`, `${RESOURCE_PREFIX}-minting`]))
    expect(names).toEqual(expect.arrayContaining(groups))
    expect(groups).toContain(`${RESOURCE_PREFIX}-minting`)
  })

  test('purchases made while Kafka is down complete after it restarts', { timeout: 400_000 }, async () => {
    const left = works.slice(programs.length * REPLICAS)
    await cluster.signalServer('kafka', 'SIGKILL')
    const sales = left.slice(0, 2).map((work, place) => purchase(store.run, buyers[place]!, work))
    await Promise.all(sales.map(({ reached }) => reached.paid))
    expect(await Promise.race([...sales.map(({ sale }) => sale), sleep(5_000, 'nothing yet')])).toBe('nothing yet')

    kafka = await cluster.startServer.kafka()
    for (const { buyer, work } of await Promise.all(sales.map(({ sale }) => sale)))
      expect(await chain.ownerOf(work)).toBe(buyer.wallet)
  })

  test('without Redis the market responds and shows sold works as sold', { timeout: 400_000 }, async () => {
    const { client, username } = buyers[2]!
    const work = works[programs.length * REPLICAS + 2]!
    await cluster.signalServer('redis', 'SIGKILL')
    const { sale } = purchase(store.run, buyers[2]!, work)
    const statuses = new Set<number>()
    await vi.waitUntil(async () => {
      const { status, body } = await client.call('GET', '/api/nfts/market?page=1&limit=200')
      statuses.add(status)
      return body.nfts.find(({ _id }: Nft) => _id === work._id)?.ownerUsername === username
    }, TIMEOUTS)
    expect([...statuses]).toEqual([200])
    await sale
  })

  test('a visitor sees a change of price within a second, its author at once', async () => {
    const { work, owner } = await workAndOwner(store.run, createApiClient(store.run))
    const seller = await logIn(store.run, owner)
    const prices = watchPrices({ seller, reader: createApiClient(store.run), work })
    await vi.waitUntil(() => prices.changes() >= 12, TIMEOUTS)
    await prices.stop()

    const reads = prices.take()
    expect(reads.length).toBeGreaterThan(100)
    expect(Math.max(...reads.map(({ staleMs }) => staleMs))).toBeLessThan(1_000)
    expect(prices.missed()).toBe(0)
  })

  test('the mails of every purchase were sent', async () => {
    // Those that were with a killed process are sent when its claim ends, after twelve minutes.
    const [, , , port] = (await readFile(join(store.folder, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')
    await operate(store).runSql(
      `postgres://nifty:nifty@127.0.0.1:${port}`,
      resourceName(RESOURCE_PREFIX, 'notification'),
      'update mail set next_attempt_at = now() where claimed_at is not null and sent_at is null',
    )
    const mails = async () => {
      const response = await fetch(`${store.run.mailboxUrl}/api/email`)
      return ((await response.json()) as { subject: string }[]).filter(({ subject }) => subject.includes('has arrived'))
    }
    await vi.waitUntil(async () => (await mails()).length >= programs.length * REPLICAS + 3, TIMEOUTS)
  })
})
