import { getMarket } from '@nifty/api/catalog/public'
import { freePort } from '@nifty/dev-servers/free-port'
import { createApiClient } from '@nifty/testkit/api-client'
import { openBrowser } from '@nifty/testkit/browser'
import { startStore } from '@nifty/testkit/store'
import { waitUntil } from '@nifty/testkit/wait-until'
import { availableWork, itemPath } from '@nifty/testkit/works'
import lighthouse, { type Result } from 'lighthouse'
import { median } from '../results/statistics.ts'
import type { Figure } from '../results/target.ts'
import type { Run } from '../run/part.ts'
import { pageNames, firstVisit as targets } from '../run/targets.ts'
import { benchUsable } from './usable.ts'

const ROUNDS = 3
const WORKS = 240

/**
 * Lighthouse (mobile, simulated slow 4G) on home, explore and an item page of a whole store: bytes, largest paint and
 * scores of a first visit, each the median of three. Performance is lower on a busy machine. What lowers a score is
 * logged. Then the time until each page can be used (`usable.ts`).
 */
export async function benchWeb({ log }: Run): Promise<Figure[]> {
  const store = await startStore({ works: WORKS })
  const port = await freePort()
  const browser = await openBrowser({ debuggingPort: port })
  try {
    const { run } = store
    // A new store is ready before all its works are minted; the measurement starts when it is idle.
    const client = createApiClient(run)
    const total = async () => (await client.send(getMarket, { query: { page: '1', limit: '1' } })).body.total
    await waitUntil(async () => (await total()) >= WORKS, { timeoutMs: 600_000 })
    const pages = { home: '/', explore: '/explore-one', item: itemPath(await availableWork(client)) }
    const figures: Figure[] = []
    for (const name of pageNames) {
      const url = new URL(pages[name], run.url).href
      await untilSettled(await audit(url, port))
      const reports: Result[] = []
      for (let round = 0; round < ROUNDS; round++) reports.push(await audit(url, port))
      for (const complaint of complaintsOf(reports)) log(`${name}: ${complaint}`)
      const of = (pick: (report: Result) => number) => median(reports.map(pick))
      figures.push(
        { target: targets.bytes[name], figure: of((report) => numberOf(report, 'total-byte-weight')) / 1_000 },
        {
          target: targets.largestPaint[name],
          figure: of((report) => numberOf(report, 'largest-contentful-paint')) / 1_000,
        },
        { target: targets.performance[name], figure: of((report) => scoreOf(report, 'performance')) },
      )
      for (const category of Object.keys(reports[0]!.categories).filter((each) => each !== 'performance'))
        figures.push({ name: `${name}, ${category}`, unit: 'points', figure: of((each) => scoreOf(each, category)) })
    }
    return [...figures, ...(await benchUsable(browser, run.url, pages))]
  } finally {
    await browser.close()
    await store.remove()
  }
}

/** A new store makes larger pictures and AVIF on the first request: what is measured is a store that has them. */
async function untilSettled({ audits }: Result) {
  const { details } = audits['network-requests']!
  const requests = details && 'items' in details ? (details.items as { url: string }[]) : []
  const pictures = requests.map(({ url }) => url).filter((url) => url.includes('/uploads/nfts/'))
  await waitUntil(async () => {
    const types = await Promise.all(pictures.map(typeOf))
    return types.every((type) => type === 'image/avif')
  })
}

async function typeOf(picture: string) {
  const response = await fetch(picture, { headers: { accept: 'image/avif' } })
  await response.arrayBuffer()
  return response.headers.get('content-type')
}

/** Chrome's trace may lack the start of the navigation on a busy machine: Lighthouse then asks to be run again. */
async function audit(url: string, port: number, runs = 3): Promise<Result> {
  const report = (await lighthouse(url, { port, output: 'json', logLevel: 'error' }))?.lhr
  if (report?.runtimeError?.code === 'NO_NAVSTART' && runs > 1) return audit(url, port, runs - 1)
  if (!report || report.runtimeError) throw new Error(report?.runtimeError?.message ?? `no report on ${url}`)
  return report
}

const numberOf = ({ audits }: Result, name: string) => audits[name]?.numericValue ?? Number.NaN
const scoreOf = ({ categories }: Result, name: string) => Math.round((categories[name]?.score ?? 0) * 100)

/** What was not perfect in any round: the audit, its metric and the elements it names. */
function complaintsOf(reports: Result[]) {
  const consoleErrors = new Map<string, string>()
  for (const { categories, audits } of reports)
    for (const { id: category, auditRefs } of Object.values(categories))
      for (const { id, weight } of auditRefs) {
        const { score, title, displayValue = '', details } = audits[id]!
        if (score === null || score === 1 || weight === 0) continue
        const items = details && 'items' in details ? JSON.stringify(details.items).slice(0, 400) : ''
        consoleErrors.set(id, `${category}, ${title} ${displayValue} ${items}`)
      }
  return consoleErrors.values()
}
