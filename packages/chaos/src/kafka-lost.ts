import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Nft } from '@nifty/api/catalog/public'
import { pay } from '@nifty/testkit/api-client'
import { connectCluster } from '@nifty/testkit/cluster'
import { violations as violationsOf } from '@nifty/testkit/invariants'
import { type Buyer, purchase, type Sale } from '@nifty/testkit/purchase'
import { waitUntil } from '@nifty/testkit/wait-until'
import pg from 'pg'
import type { Campaign } from './campaign.ts'
import { databaseOf, lostEvents } from './messages.ts'
import { closeShop, openShop, type Shop } from './shop.ts'

const COMPLETED = 4
const INTERRUPTED = 4
const TIMEOUTS = { timeoutMs: 300_000, intervalMs: 250 }
const ops = join(import.meta.dirname, '../../../deploy/ops/src/main.ts')

type Paid = { buyer: Buyer; work: Nft; orderId: string }

/**
 * Orders are paid while minting is stopped; then everything is killed and Kafka's data is removed. After the next start
 * the events are published again by `pnpm ops republish`, and every order completes.
 */
export const kafkaLost: Campaign = async (log) => {
  const works = COMPLETED + INTERRUPTED + 2
  const shop = await openShop({ log, works, launcher: 'cluster/main.ts', env: { REPLICAS: '1' } })
  const { store, run, buyers } = shop
  const since = new Date().toISOString()
  const sales = await Promise.all(
    shop.works.slice(0, COMPLETED).map((work, place) => purchase(run, buyers[place % buyers.length]!, work).sale),
  )
  const paid = await payWithoutMinting(shop, shop.works.slice(COMPLETED, COMPLETED + INTERRUPTED))
  log(`${paid.length} orders are paid and their events published, minting has consumed none of them`)

  await loseKafka(shop)
  log('everything was killed, the data of Kafka removed, and the store started again')
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [ops, 'republish', 'all', '--since', since, '--yes', '--operator', 'chaos', '--reason', 'Kafka was lost'],
    { env: { ...process.env, NIFTY_HOME: store.folder } },
  )
  for (const line of stdout.trim().split('\n')) log(line)
  for (const { buyer, work, orderId } of paid)
    sales.push({ buyer, work, order: await untilCompleted(buyer, orderId) } satisfies Sale)
  log('every order is complete')

  const violations = await violationsOf(run, shop.chain, sales)
  const { events, violations: lost } = await lostEvents(store.folder)
  const mails = await mailsTwice(store.folder)
  violations.push(...lost, ...mails.twice)
  if (mails.sent < sales.length) violations.push(`${mails.sent} mails were sent for ${sales.length} orders`)
  await closeShop(shop, { violations, log })
  return {
    metrics: {
      'orders complete before': COMPLETED,
      'orders paid and not delivered when Kafka was lost': paid.length,
      completed: sales.length,
      'events compared': events,
      'events lost': lost.length,
      'mails sent': mails.sent,
      'mails sent twice': mails.twice.length,
    },
    violations,
  }
}

/** Stops minting when the card pages are open, and pays: nothing is delivered. */
async function payWithoutMinting({ store, run, buyers }: Shop, works: Nft[]): Promise<Paid[]> {
  const opened = await Promise.all(
    works.map(async (work, place) => {
      const buyer = buyers[place % buyers.length]!
      const { body } = await buyer.client.buy(work)
      return { buyer, work, orderId: body.orderId, url: body.url }
    }),
  )
  const minting = (await connectCluster(store.folder).processes()).find(({ name }) => name === 'minting-1')!
  process.kill(minting.pid!, 'SIGSTOP')
  for (const { url } of opened) await pay(run, url, run.cards.approved)
  await waitUntil(async () => {
    const published = await query(
      store.folder,
      'payments',
      `select key from outbox where name = 'payments.order-line-authorised.v1' and published_at is not null`,
    )
    return opened.every(({ orderId }) => published.some(({ key }) => key === orderId))
  }, TIMEOUTS)
  return opened
}

async function loseKafka({ store }: Shop) {
  const cluster = connectCluster(store.folder)
  const pids = (await cluster.processes()).flatMap(({ pid }) => pid ?? [])
  await store.kill()
  await cluster.killServer('kafka').catch(() => {})
  for (const pid of pids) kill(pid)
  await waitUntil(async () => pids.every((pid) => !isRunning(pid)), TIMEOUTS)
  await rm(join(store.folder, 'kafka'), { recursive: true })
  await store.restart()
}

function kill(pid: number) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended with its launcher.
  }
}

function isRunning(pid: number) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const untilCompleted = ({ client }: Buyer, orderId: string) =>
  waitUntil(async () => {
    const order = await client.order(orderId).catch(() => undefined)
    return order?.state === 'completed' && order
  }, TIMEOUTS)

/** Mails with the same recipient, subject and text. */
async function mailsTwice(folder: string) {
  const { mailboxUrl } = JSON.parse(await readFile(join(folder, 'run.json'), 'utf8'))
  const response = await fetch(`${mailboxUrl}/api/email`)
  const mails = (await response.json()) as { subject: string; text: string; to: { address: string }[] }[]
  const same = Map.groupBy(mails, ({ subject, text, to }) => JSON.stringify([subject, text, to]))
  return {
    sent: mails.filter(({ subject }) => subject.includes('has arrived')).length,
    twice: [...same.values()].flatMap(([mail, ...more]) => (more.length > 0 ? [`sent twice: ${mail!.subject}`] : [])),
  }
}

async function query(folder: string, service: string, text: string) {
  const { port } = await databaseOf(folder)
  const client = new pg.Client({ connectionString: `postgres://nifty:nifty@127.0.0.1:${port}/${service}` })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}
