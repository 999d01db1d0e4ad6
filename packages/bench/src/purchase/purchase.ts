import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startPostgres } from '@nifty/dev-servers/postgres'
import { accountsOf, logIn, pay, untilOrder } from '@nifty/testkit/api-client'
import { startStore } from '@nifty/testkit/store'
import { waitUntil } from '@nifty/testkit/wait-until'
import type { Figure } from '../results/target.ts'
import { readUsage, type Usage } from './usage.ts'

/** Some works are not for sale. */
const WORKS = 48
const PURCHASES = 32
const AT_ONCE = 8
const IDLE_MS = 20_000
const QUIET_MS = 10_000

/**
 * What one purchase costs, from the click until the mails are in line, in a cluster of one process a service: processor
 * time, transactions, rows, events and bytes. What an idle store uses in the same time is measured first
 * and taken off.
 */
export async function benchPurchase(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'nifty-bench-'))
  await chmod(folder, 0o755)
  const dataFolder = join(folder, 'postgres')
  const postgres = await startPostgres({ folder: dataFolder, durable: true })
  const env = { POSTGRES_URL: postgres.url, LOG_LEVEL: 'warn' }
  const store = await startStore({ works: WORKS, launcher: 'cluster/main.ts', env }).catch(async (error) => {
    await postgres.stop()
    throw error
  })
  try {
    const pids = await pidsOf(store.folder)
    const read = () => readUsage(postgres.url, { pids, dataFolder })
    await untilQuiet(read)
    const before = await read()
    await sleep(IDLE_MS)
    const idle = difference(await read(), before)

    const began = performance.now()
    const start = await read()
    await buy(store.run)
    const seconds = (performance.now() - began) / 1000
    const used = difference(await read(), start)
    const perIdleMs = (name: string) => idle[name]! / IDLE_MS
    return Object.entries(used).flatMap(([name, amount]) => [
      {
        name: `a purchase, ${name}`,
        unit: '',
        figure: Math.max(0, amount - perIdleMs(name) * 1_000 * seconds) / PURCHASES,
      },
    ])
  } finally {
    await store.remove()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The demo's last works are still being minted when the store is ready. */
async function untilQuiet(read: () => Promise<Usage>) {
  const countEvents = (usage: Usage) =>
    Object.entries(usage).reduce(
      (sum, [name, amount]) => sum + (/events (published|consumed)$/.test(name) ? amount : 0),
      0,
    )
  let last = -1
  await waitUntil(
    async () => {
      const now = countEvents(await read())
      const isQuiet = now === last
      last = now
      return isQuiet
    },
    { intervalMs: QUIET_MS },
  )
}

const difference = (after: Usage, before: Usage): Usage =>
  Object.fromEntries(Object.entries(after).map(([name, amount]) => [name, amount - (before[name] ?? 0)]))

async function pidsOf(folder: string): Promise<Record<string, number[]>> {
  const { processes } = JSON.parse(await readFile(join(folder, 'cluster.json'), 'utf8'))
  const all: { name: string; pid: number }[] = processes
  return Object.fromEntries(
    [...Map.groupBy(all, ({ name }) => name.split('-')[0]!)].map(([name, own]) => [name, own.map(({ pid }) => pid)]),
  )
}

async function buy(run: Awaited<ReturnType<typeof startStore>>['run']) {
  const buyers = await Promise.all(accountsOf(run, 'collector').map((account) => logIn(run, account)))
  const works = (await buyers[0]!.market()).filter(({ forSale, reserved }) => forSale && !reserved).slice(0, PURCHASES)
  if (works.length < PURCHASES) throw new Error(`only ${works.length} works are for sale`)
  const waiting = works.map((work, index) => ({ work, buyer: buyers[index % buyers.length]! }))
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { body } = await next.buyer.buy(next.work)
      await pay(run, body.url, run.cards.approved)
      await untilOrder(next.buyer, body.orderId, 'completed')
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}
