import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startPostgres } from '@nifty/dev-servers/postgres'
import { createServiceClient } from '@nifty/service-kit/http/client'
import { operatorCredential } from '@nifty/service-kit/http/operator-token'
import { startStore } from '@nifty/testkit/store'
import type { Figure } from '../results/target.ts'
import type { Run } from '../run/part.ts'
import { sizesOf } from '../run/sizes.ts'
import { temporaryFolder } from '../run/temporary-folder.ts'
import { agreeUntilYesterday, fillDatabases, type Generated } from './generated.ts'
import { startGeneratedProcessor } from './generated-processor.ts'
import { measureReconciliation } from './measure.ts'
import { startPayments } from './payments-process.ts'

/** Completed orders; 10,000 a day, the last one an hour ago. `BENCH_ORDERS` replaces the list. */
const SIZES = sizesOf('BENCH_ORDERS', [10_000, 1_000_000])
const PER_DAY = 10_000
const DAY_MS = 86_400_000
const PRICE_CENTS = 12_000

/**
 * Reconciliation of generated orders: of everything, and of the last day with everything before agreed. The processor
 * is a generated list behind the same API; minting and catalog are those of a real store with generated rows; payments
 * is a process of its own, whose memory is measured.
 */
export async function benchReconciliation({ log }: Run): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const orders of SIZES) figures.push(...(await benchSize(orders, log)))
  return figures
}

async function benchSize(orders: number, log: Run['log']): Promise<Figure[]> {
  const everyMs = DAY_MS / PER_DAY
  const firstAt = Date.now() - 3_600_000 - orders * everyMs
  const generated: Generated = { orders, firstAt, everyMs, priceCents: PRICE_CENTS }
  const { path: folder, remove: removeFolder } = await temporaryFolder()
  /** What was started, removed in the opposite order, also when a start fails. */
  await using started = new AsyncDisposableStack()
  started.defer(removeFolder)
  const startServer = async (name: string) => {
    const server = await startPostgres({ folder: join(folder, name), durable: false })
    started.defer(async () => void (await server.stop()))
    return server
  }
  const [storeServer, paymentsServer] = [await startServer('store'), await startServer('payments')]
  const processor = await startGeneratedProcessor(generated)
  started.defer(async () => void (await processor.stop()))
  const store = await startStore({ works: 2, env: { POSTGRES_URL: storeServer.url, LOG_LEVEL: 'warn' } })
  started.defer(store.remove)
  const readJson = async (name: string) => JSON.parse(await readFile(join(store.folder, name), 'utf8'))
  const { internalUrls, operator } = await readJson('operator.json')
  const payments = await startPayments({
    postgresUrl: paymentsServer.url,
    processorUrl: processor.url,
    internalUrls,
    secrets: await readJson('secrets.json'),
  })
  started.defer(payments.stop)
  const { url, residentMb } = payments
  const client = createServiceClient({ url, credential: operatorCredential(operator), name: 'payments' })
  await fillDatabases(serverOf(paymentsServer.url), serverOf(storeServer.url), generated)
  await agreeUntilYesterday(serverOf(paymentsServer.url))
  const idle = residentMb()
  log(`${orders} orders: filled`)
  const process = { client, residentMb, calls: processor.calls, log }
  const day = await measureReconciliation(process, {})
  const all = await measureReconciliation(process, { all: true })
  return [
    { name: `${orders} orders: memory before`, unit: 'MB', figure: idle },
    ...Object.entries({ 'the last day': day, all }).flatMap(([period, figures]) =>
      figures.map((each) => ({ ...each, name: `${orders} orders, ${period}: ${each.name}` })),
    ),
  ]
}

/** The address of a server without its database. */
const serverOf = (url: string) => url.replace(/\/[^/]*$/, '')
