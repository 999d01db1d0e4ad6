import { setTimeout as sleep } from 'node:timers/promises'
import { connectCluster } from '@nifty/testkit/cluster'
import { violations as violationsOf } from '@nifty/testkit/invariants'
import type { Sale } from '@nifty/testkit/purchase'
import type { Campaign, Log, Report } from '../campaign/campaign.ts'
import { lostEvents } from '../campaign/messages.ts'
import { operate } from '../campaign/operate.ts'
import { sell } from '../campaign/sales.ts'
import { closeShop, openShop, type Shop } from '../campaign/shop.ts'
import { rows } from './rows.ts'
import { startVisitors, type Visit } from './visitors.ts'

/** Beside each fault. */
const SALES = 6
/** Of these nobody buys any. */
const SEEN_WORKS = 3
const SALE_EVERY_MS = 1_500
const AFTERWARDS_MS = 3_000
/** Of a purchase that cannot be made now. Its page may close while the request is repeated; the next one counts. */
const refusal = /^(503 \w+|409 page_closed)$/

/** What a visitor gets of a picture while the object storage is away, and of nothing else. */
const lacksPicture = ({ url, error }: Visit) => /\?w=\d+$/.test(url) && error === '503 storage_unavailable'

/** `names`: rows of the fault table; all of them when empty. Undefined for an unknown name. */
export function faults(names: string[]): Campaign | undefined {
  const chosen = names.length > 0 ? names : Object.keys(rows)
  return chosen.every((name) => rows[name]) ? (log) => runOnNewCluster(chosen, log) : undefined
}

async function runOnNewCluster(names: string[], log: Log) {
  const used = (row: string) => (names.includes(row) ? '1' : '0')
  const env = { REPLICAS: '2', DRAIN_SECONDS: '4', POOLER: used('pooler'), OBJECT_STORAGE: used('object-storage') }
  const shop = await openShop({ log, works: names.length * SALES + SEEN_WORKS, launcher: 'cluster/main.ts', env })
  const { report, stopServers } = await runRows(shop, names, { log })
  await closeShop(shop, { violations: report.violations, log, stopServers })
  return report
}

/** `perFault`: sales beside each fault. `before`: all sales that the shop had before. */
type Options = { log: Log; perFault?: number; before?: readonly Sale[] }

/**
 * One fault after the other on one cluster, with sales and visitors beside each: every sale completes, and no visitor
 * gets an error. `stopServers` stops those that a row has started again.
 */
export async function runRows(shop: Shop, names: string[], { log, perFault = SALES, before = [] }: Options) {
  const { folder } = shop.store
  const started: { stop: () => Promise<void> }[] = []
  const world = { shop, cluster: connectCluster(folder), started }
  const visitors = startVisitors(shop.run, shop.works.slice(0, SEEN_WORKS))
  // Each gateway has seen every address.
  while (visitors.rounds() < 4) await sleep(100)

  const metrics: Record<string, string> = {}
  const violations: string[] = []
  report('before the faults', visitors.take())
  const sales: Sale[] = []
  let next = SEEN_WORKS
  for (const name of names) {
    const works = shop.works.slice(next, next + perFault)
    next += perFault
    const selling = sell(shop, works, { everyMs: SALE_EVERY_MS, atOnce: perFault })
    await sleep(SALE_EVERY_MS * 1.5)
    const beganAt = performance.now()
    await rows[name]!(world)
    const faultSeconds = (performance.now() - beganAt) / 1_000
    await selling.done
    await sleep(AFTERWARDS_MS)
    sales.push(...selling.sales())
    violations.push(...selling.failures().map((failure) => `${name}: ${failure}`))
    for (const refused of new Set(selling.refusals()))
      if (!refusal.test(refused)) violations.push(`${name}: a purchase was refused by ${refused}`)
    const refused = [...new Set(selling.refusals())].join(', ') || 'none'
    const slowest = Math.max(...selling.seconds()).toFixed(1)
    const sold = `${selling.completed()} of ${selling.begun()} sales, slowest ${slowest} s, refused: ${refused}`
    metrics[name] = `${faultSeconds.toFixed(1)} s; ${sold}; ${report(name, visitors.take())}`
    log(`${name}: ${metrics[name]}`)
  }
  await visitors.stop()

  /** Counts the errors of visitors as violations. */
  function report(name: string, visits: Visit[]): string {
    const withoutPicture = visits.filter((visit) => name === 'object-storage' && lacksPicture(visit))
    const failed = visits.filter((visit) => visit.error && !withoutPicture.includes(visit))
    const kinds = Map.groupBy(failed, ({ url, error }) => `${error} of ${url}`)
    for (const [kind, all] of kinds) violations.push(`${name}: ${all.length} visitors got ${kind}`)
    const times = visits.map(({ ms }) => ms).sort((one, other) => one - other)
    const p99 = Math.round(times[Math.floor(times.length * 0.99)] ?? 0)
    const slowest = Math.round(times.at(-1) ?? 0)
    const missing = withoutPicture.length > 0 ? `, ${withoutPicture.length} without a picture` : ''
    return `visitors: ${failed.length} errors of ${visits.length}${missing}, p99 ${p99} ms, slowest ${slowest} ms`
  }

  violations.push(...(await violationsOf(shop.run, shop.chain, [...before, ...sales])))
  const { events, violations: lost } = await lostEvents(folder)
  violations.push(...lost)
  const reconciled = await operate(folder, ['reconcile', 'all']).catch(({ stdout }) => String(stdout))
  const balance = reconciled.trim().split('\n').at(-1)!
  if (balance !== 'Balanced.') violations.push(`reconcile: ${reconciled}`)
  const all: Report['metrics'] = {
    ...metrics,
    'events compared': events,
    'events lost': lost.length,
    reconcile: balance,
  }
  return {
    report: { metrics: all, violations },
    stopServers: async () => void (await Promise.all(started.map(({ stop }) => stop()))),
  }
}
