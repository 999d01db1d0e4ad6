import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Endpoint, EndpointArguments } from '@nifty/api/endpoint'
import { listDisputes } from '@nifty/api/payments/disputes'
import { searchOrders } from '@nifty/api/payments/order-search'
import { getSalesStatistics } from '@nifty/api/statistics'
import { startPostgres } from '@nifty/dev-servers/postgres'
import { createServiceClient, type ServiceClient } from '@nifty/service-kit/http/client'
import { operatorCredential } from '@nifty/service-kit/http/operator-token'
import { LOCAL_OPERATOR, readSecrets } from '@nifty/testkit/data-dir'
import pg from 'pg'
import { FORMER_SELLER, fillPayments, type Generated, SELLER } from '../reconciliation/generated.ts'
import { startGeneratedProcessor } from '../reconciliation/generated-processor.ts'
import { startPayments } from '../reconciliation/payments-process.ts'
import type { Figure } from '../results/target.ts'
import type { Run } from '../run/part.ts'
import { sizeOf } from '../run/sizes.ts'
import * as targets from '../run/targets.ts'
import { temporaryFolder } from '../run/temporary-folder.ts'

/** Completed orders of a year, the last one an hour ago. */
const ORDERS = sizeOf('BENCH_OFFICE_ORDERS', 1_000_000)
const DAY_MS = 86_400_000
const DAYS = 365
const ROUNDS = 30
/** The first quarter of a year's orders, nearly: none of them is among the newest. */
const FORMER = Math.round(ORDERS * 0.24)

/** What an office reads of payments, with a year of orders: the slowest request, and what the process grows by. */
export async function benchOffice({ log }: Run): Promise<Figure[]> {
  const everyMs = (DAYS * DAY_MS) / ORDERS
  const generated: Generated = {
    orders: ORDERS,
    firstAt: Date.now() - 3_600_000 - ORDERS * everyMs,
    everyMs,
    priceCents: 12_000,
    former: FORMER,
  }
  await using started = new AsyncDisposableStack()
  const { path: folder, remove } = await temporaryFolder()
  started.defer(remove)
  const server = await startPostgres({ folder: join(folder, 'postgres'), durable: false })
  started.defer(async () => void (await server.stop()))
  const processor = await startGeneratedProcessor(generated)
  started.defer(async () => void (await processor.stop()))
  const secrets = await readSecrets({ folder, file: (...names) => join(folder, ...names) })
  const nobody = 'http://127.0.0.1:9'
  const options = {
    postgresUrl: server.url,
    processorUrl: processor.url,
    secrets,
    internalUrls: { auth: nobody, minting: nobody, catalog: nobody },
  }
  const migrated = await startPayments(options)
  await migrated.stop()
  const serverUrl = server.url.replace(/\/[^/]*$/, '')
  await fillPayments(serverUrl, generated)
  log(`${ORDERS} orders: filled`)

  const payments = await startPayments(options)
  started.defer(payments.stop)
  const credential = operatorCredential({ name: LOCAL_OPERATOR, privateKey: secrets.operatorKey })
  const client = createServiceClient({ url: payments.url, credential, name: 'payments' })
  const seconds = await untilClosed(`${serverUrl}/payments`)
  log(`${ORDERS} orders: days counted`)
  const times = await measure(client)
  const before = payments.residentMb()
  await measure(client)
  return [
    { name: 'counting all days', unit: 's', figure: seconds },
    ...times,
    { target: targets.office.growth, figure: payments.residentMb() - before },
  ]
}

/** Seconds until every day before yesterday is stored. */
async function untilClosed(url: string): Promise<number> {
  const db = new pg.Client({ connectionString: url })
  await db.connect()
  const began = performance.now()
  try {
    const isClosed = async () =>
      (await db.query(`select max(day) >= current_date - 2 as closed from statistics_day`)).rows[0].closed
    while (!(await isClosed())) await sleep(200)
  } finally {
    await db.end()
  }
  return (performance.now() - began) / 1_000
}

async function measure(client: ServiceClient): Promise<Figure[]> {
  const day = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10)
  const year = { from: day(DAYS), to: day(0) }
  return [
    await slowest(targets.office.months, client, getSalesStatistics, { query: { ...year, by: 'month' } }),
    await slowest(targets.office.days, client, getSalesStatistics, { query: { ...year, by: 'day' } }),
    await slowest(targets.office.today, client, getSalesStatistics, { query: { from: day(0), to: day(0) } }),
    await slowest(targets.office.disputes, client, listDisputes),
    await slowest(targets.office.newest, client, searchOrders, { body: {} }),
    await slowest(targets.office.ofSeller, client, searchOrders, { body: { accountIds: [SELLER], as: 'seller' } }),
    await slowest(targets.office.ofFormerSeller, client, searchOrders, { body: { accountIds: [FORMER_SELLER] } }),
  ]
}

/** The slowest of some requests, after a first one. */
async function slowest<E extends Endpoint>(
  target: (typeof targets.office)['months'],
  client: ServiceClient,
  endpoint: E,
  ...input: EndpointArguments<E>
): Promise<Figure> {
  await client(endpoint, ...input)
  let figure = 0
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now()
    await client(endpoint, ...input)
    figure = Math.max(figure, performance.now() - began)
  }
  return { target, figure }
}
