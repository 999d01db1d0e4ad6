import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Nft } from '@nifty/api/catalog'
import { canStart } from '@nifty/local/parts/can-start'
import { type KafkaServer, startKafka } from '@nifty/local/parts/kafka'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openChain } from './chain.ts'
import { type Store, startStore } from './store.ts'
import { accountsOf, ledgerOf, pay, signIn, type Visitor } from './visitor.ts'

const REPLICAS = 2
const kinds = ['auth', 'catalog', 'payments', 'minting', 'notification', 'gateway']
const PATIENCE = { timeout: 120_000, interval: 250 }

type Process = { name: string; pid?: number; ready: boolean; starts: number }
type Buyer = { visitor: Visitor; wallet: string; username: string }

const possible = (await canStart('kafka')) && (await canStart('redis'))

describe.skipIf(!possible)('the store as a cluster', () => {
  let store: Store
  let chain: ReturnType<typeof openChain>
  let buyers: Buyer[]
  let works: Nft[]
  let kafka: KafkaServer | undefined

  beforeAll(async () => {
    store = await startStore({ works: 24, launcher: 'cluster/main.ts', env: { REPLICAS: String(REPLICAS) } })
    chain = openChain(store.run)
    buyers = await Promise.all(
      accountsOf(store.run, 'collector').map(async (account) => ({
        visitor: await signIn(store.run, account),
        wallet: account.wallet.address,
        username: account.username,
      })),
    )
    works = (await buyers[0]!.visitor.market()).filter(({ forSale }) => forSale)
  }, 300_000)
  afterAll(async () => {
    chain?.close()
    await store?.stop()
    await kafka?.stop()
    await store?.remove()
  })

  const processes = async (): Promise<Process[]> =>
    JSON.parse(await readFile(join(store.folder, 'cluster.json'), 'utf8')).processes
  const find = async (name: string) => (await processes()).find((each) => each.name === name)!

  const pidOf = async (part: string) => Number(await readFile(join(store.folder, part, 'server.pid'), 'utf8'))

  /** Ends a process as a power cut would, and waits until its successor can be asked. */
  async function kill(name: string) {
    const { pid, starts } = await find(name)
    process.kill(pid!, 'SIGKILL')
    await vi.waitUntil(async () => {
      const now = await find(name)
      return now.starts > starts && now.ready
    }, PATIENCE)
  }

  /** Asks again, as people do, when the line was cut or the store says "please try again". */
  async function insist<Answer extends { status: number }>(ask: () => Promise<Answer>) {
    return vi.waitUntil(async () => {
      const answer = await ask().catch(() => undefined)
      return answer?.status === 200 ? answer : undefined
    }, PATIENCE)
  }

  /** A purchase in three steps; `reached` says which one it has got to. */
  function purchase({ visitor }: Buyer, work: Nft) {
    const reached = { asked: Promise.withResolvers<void>(), paid: Promise.withResolvers<void>() }
    const order = (async () => {
      const { body } = await insist(() => visitor.buy(work))
      reached.asked.resolve()
      await insist(() => pay(store.run, body.url, store.run.cards.approved))
      reached.paid.resolve()
      return vi.waitUntil(async () => {
        const found = await visitor.order(body.orderId).catch(() => undefined)
        return found?.state === 'completed' ? found : undefined
      }, PATIENCE)
    })()
    order.catch((error) => {
      reached.asked.reject(error)
      reached.paid.reject(error)
    })
    return { order, reached }
  }

  test('every purchase completes, and none twice, while each process is killed once', {
    timeout: 400_000,
  }, async () => {
    const victims = Array.from({ length: REPLICAS }, (_, place) => kinds.map((kind) => `${kind}-${place + 1}`)).flat()
    const sales: { buyer: Buyer; work: Nft; order: ReturnType<typeof purchase>['order'] }[] = []
    const successors: Promise<void>[] = []
    for (const [place, victim] of victims.entries()) {
      // The other one of a kind dies only after its twin is back: one of each may be away at a time.
      if (place % kinds.length === 0) await Promise.all(successors.splice(0))
      const buyer = buyers[place % buyers.length]!
      const work = works[place]!
      const { order, reached } = purchase(buyer, work)
      sales.push({ buyer, work, order })
      // The one dies during the first request, the next before the payment is known, the next during the delivery.
      await [sleep(20), reached.asked.promise, reached.paid.promise][place % 3]
      successors.push(kill(victim))
    }
    await Promise.all(successors)

    const ended = await Promise.all(sales.map(({ order }) => order))
    const orders = await Promise.all(ended.map(({ _id }, place) => sales[place]!.buyer.visitor.order(_id)))
    expect(orders.map(({ captured }) => captured)).toEqual(sales.map(({ work }) => work.price))
    for (const { buyer, work } of sales) expect(await chain.ownerOf(work)).toBe(buyer.wallet)
    for (const { buyer, work } of sales)
      await vi.waitUntil(async () => (await buyer.visitor.item(work)).ownerUsername === buyer.username, PATIENCE)

    const { entries, totals } = await ledgerOf(store.run)
    expect(entries.filter(({ kind }) => kind === 'captured')).toHaveLength(sales.length)
    const cents = sales.reduce((sum, { work }) => sum + Math.round(work.price! * 100), 0)
    expect(totals).toMatchObject({ held: cents, captured: cents, released: 0, inFlight: 0 })
    expect(await processes()).toEqual(victims.map(() => expect.objectContaining({ starts: 2, ready: true })))
  })

  test('purchases that were made while Kafka was away complete when it is back', { timeout: 400_000 }, async () => {
    const left = works.slice(kinds.length * REPLICAS)
    process.kill(await pidOf('kafka'), 'SIGKILL')
    const sales = left.slice(0, 2).map((work, place) => ({ work, ...purchase(buyers[place]!, work) }))
    await Promise.all(sales.map(({ reached }) => reached.paid.promise))
    expect(await Promise.race([...sales.map(({ order }) => order), sleep(5_000, 'nothing yet')])).toBe('nothing yet')

    const ports = JSON.parse(await readFile(join(store.folder, 'ports.json'), 'utf8'))
    const folder = join(store.folder, 'kafka')
    kafka = await startKafka({ folder, port: ports.kafka, controllerPort: ports['kafka-controller'] })
    await Promise.all(sales.map(({ order }) => order))
    for (const [place, { work }] of sales.entries()) expect(await chain.ownerOf(work)).toBe(buyers[place]!.wallet)
  })

  test('without Redis the market answers on, and shows what is sold', { timeout: 400_000 }, async () => {
    const { visitor, username } = buyers[2]!
    const work = works[kinds.length * REPLICAS + 2]!
    process.kill(await pidOf('redis'), 'SIGKILL')
    const { order } = purchase(buyers[2]!, work)
    const statuses = new Set<number>()
    await vi.waitUntil(async () => {
      const { status, body } = await visitor.call('GET', '/api/nfts/market?page=1&limit=200')
      statuses.add(status)
      return body.nfts.find(({ _id }: Nft) => _id === work._id)?.ownerUsername === username
    }, PATIENCE)
    expect([...statuses]).toEqual([200])
    await order
  })

  test('the mails of every purchase were sent', async () => {
    const mails = async () => {
      const response = await fetch(`${store.run.mailboxUrl}/api/email`)
      return ((await response.json()) as { subject: string }[]).filter(({ subject }) => subject.includes('has arrived'))
    }
    await vi.waitUntil(async () => (await mails()).length >= kinds.length * REPLICAS + 3, PATIENCE)
  })
})
