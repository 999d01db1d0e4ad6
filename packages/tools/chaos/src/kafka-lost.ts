import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Nft } from '@nifty/api/catalog/public'
import { isRunning } from '@nifty/dev-servers/is-running'
import { pay } from '@nifty/testkit/api-client'
import { connectCluster } from '@nifty/testkit/cluster'
import { violations as violationsOf } from '@nifty/testkit/invariants'
import { type Buyer, purchase, type Sale } from '@nifty/testkit/purchase'
import { waitUntil } from '@nifty/testkit/wait-until'
import type { Campaign, Log } from './campaign/campaign.ts'
import { query } from './campaign/databases.ts'
import { lostEvents } from './campaign/messages.ts'
import { operate } from './campaign/operate.ts'
import { closeShop, openShop, type Shop } from './campaign/shop.ts'
import { deleteTopic } from './campaign/topics.ts'

const COMPLETED = 4
const INTERRUPTED = 4
const TIMEOUTS = { timeoutMs: 300_000, intervalMs: 250 }

type Paid = { buyer: Buyer; work: Nft; orderId: string }

type Loss = {
  /** Loses the messages that minting has not consumed; afterwards every process runs. */
  lose: (shop: Shop) => Promise<void>
  what: string
  /** The argument of `pnpm ops republish`. */
  publisher: string
}

/** Everything is killed and Kafka's data removed; the store starts again on an empty Kafka. */
export const kafkaLost: Campaign = (log) =>
  loseAndRepublish({ lose: loseKafka, what: 'Kafka was lost', publisher: 'all' }, log)

/** The topic of the payment service is deleted while the services run. */
export const topicDeleted: Campaign = (log) =>
  loseAndRepublish({ lose: loseTopic, what: 'the topic was deleted', publisher: 'payments' }, log)

/**
 * Orders are paid while minting is stopped, and their messages are lost. The events are published again by
 * `pnpm ops republish`, and every order completes.
 */
async function loseAndRepublish({ lose, what, publisher }: Loss, log: Log) {
  const works = COMPLETED + INTERRUPTED + 2
  const shop = await openShop({ log, works, launcher: 'cluster/main.ts', env: { REPLICAS: '1' } })
  const { store, run, buyers } = shop
  const since = new Date().toISOString()
  const sales = await Promise.all(
    shop.works.slice(0, COMPLETED).map((work, place) => purchase(run, buyers[place % buyers.length]!, work).sale),
  )
  const paid = await payWithoutMinting(shop, shop.works.slice(COMPLETED, COMPLETED + INTERRUPTED))
  log(`${paid.length} orders are paid and their events published, minting has consumed none of them`)

  await lose(shop)
  const consumed = await query<{ id: string }>(
    store.folder,
    'minting',
    `select message_id as id from inbox where name = 'payments.order-line-authorised.v1'`,
  )
  log(`${what}, every process runs; minting has consumed the payment of ${consumed.length} orders`)
  const republished = await operate(store.folder, ['republish', publisher, '--since', since, '--yes', '--reason', what])
  for (const line of republished.split('\n')) log(line)
  for (const { buyer, work, orderId } of paid)
    sales.push({ buyer, work, order: await untilCompleted(buyer, orderId) } satisfies Sale)
  log('every order is complete')

  const violations = await violationsOf(run, shop.chain, sales)
  const { events, violations: lost } = await lostEvents(store.folder)
  const mails = await mailsTwice(store.folder)
  violations.push(...lost, ...mails.twice)
  if (consumed.length > COMPLETED) violations.push('minting had consumed the payments: nothing was lost')
  if (mails.sent < sales.length) violations.push(`${mails.sent} mails were sent for ${sales.length} orders`)
  await closeShop(shop, { violations, log })
  return {
    metrics: {
      'orders complete before': COMPLETED,
      'orders paid and not delivered at the loss': paid.length,
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
    const published = await query<{ key: string }>(
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
  await cluster.signalServer('kafka', 'SIGKILL').catch(() => {})
  for (const pid of pids) kill(pid)
  await waitUntil(async () => pids.every((pid) => !isRunning(pid)), TIMEOUTS)
  await rm(join(store.folder, 'kafka'), { recursive: true })
  await store.restart()
}

/** Minting is killed as well: it may have fetched messages before it was stopped. */
async function loseTopic({ store }: Shop) {
  const cluster = connectCluster(store.folder)
  await deleteTopic(cluster, 'payments', () => cluster.kill('minting-1'))
}

function kill(pid: number) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended with its launcher.
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
