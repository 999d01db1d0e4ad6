import { loadavg } from 'node:os'
import { getMarket } from '@nifty/api/catalog/public'
import { freePort } from '@nifty/dev-servers/free-port'
import { createApiClient } from '@nifty/testkit/api-client'
import { openBrowser } from '@nifty/testkit/browser'
import { startStore } from '@nifty/testkit/store'
import { waitUntil } from '@nifty/testkit/wait-until'
import { availableWork, itemPath } from '@nifty/testkit/works'
import lighthouse, { type Result } from 'lighthouse'
import { median } from '../results.ts'

const ROUNDS = 3
const WORKS = 240

/**
 * Lighthouse (mobile) on home, explore and an item page of a whole store: the median score of each category, 0 to 100,
 * with the load of the machine beside it, since performance is lower on a busy one. What it has against a page goes to
 * stderr.
 */
export async function benchWeb() {
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
    const metrics: Record<string, number> = {}
    for (const [name, path] of Object.entries(pages)) {
      const url = new URL(path, run.url).href
      await untilSettled(await audit(url, port))
      const reports: Result[] = []
      for (let round = 0; round < ROUNDS; round++) reports.push(await audit(url, port))
      for (const complaint of complaintsOf(reports)) process.stderr.write(`${name}: ${complaint}\n`)
      for (const category of Object.keys(reports[0]!.categories))
        metrics[`${name}, ${category}`] = median(reports.map((report) => scoreOf(report, category)))
    }
    return { ...metrics, 'load of the machine (1 minute)': Number(loadavg()[0]!.toFixed(1)) }
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

async function audit(url: string, port: number): Promise<Result> {
  const answer = await lighthouse(url, { port, output: 'json', logLevel: 'error' })
  if (!answer || answer.lhr.runtimeError) throw new Error(answer?.lhr.runtimeError?.message ?? `no report on ${url}`)
  return answer.lhr
}

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
