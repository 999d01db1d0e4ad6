import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createServiceClient } from '@nifty/service-kit/http/client'
import { operatorCredential } from '@nifty/service-kit/http/operator-token'
import { accountsOf, logIn, pay } from '@nifty/testkit/api-client'
import type { RunFile } from '@nifty/testkit/run-file'
import { waitUntil } from '@nifty/testkit/wait-until'
import { query } from '../cluster/postgres.ts'
import { addWorks, worksForSale } from '../cluster/works.ts'
import { untilAuthorised } from '../crowd/authorised.ts'
import { type Paid, type Started, startAtOnce } from '../crowd/starts.ts'
import { residentMb } from '../processes/processes.ts'
import { whileStopped } from '../processes/while-stopped.ts'
import { measureReconciliation } from '../reconciliation/measure.ts'
import type { Figure } from '../results/target.ts'
import { forEachAtOnce } from '../run/at-once.ts'
import type { Run } from '../run/part.ts'
import { sizeOf } from '../run/sizes.ts'
import { sales as targets } from '../run/targets.ts'
import { transfersPerSecond } from './bare-transfers.ts'

const ORDERS = sizeOf('BENCH_ORDERS_TO_SETTLE', 2_000)
const AT_ONCE = 16
/** The limit of one signer, by minting's `config.ts`. */
const MAX_UNMINED = 16
const BARE_TRANSFERS = 320

/**
 * Purchases settled a second over one signer, from orders whose money is held already: minting is stopped while they
 * are paid. Settled means delivered, final and captured. Beside it a bare loop of transfers with as many transactions
 * in no block. Minting puts all deliveries that wait into batches, so both targets have the same figure. Afterwards all
 * orders are reconciled.
 */
export async function benchSettlement({ cluster, log }: Run): Promise<Figure[]> {
  const { run, folder, postgres, pids, untilQuiet } = await cluster()
  // Purchases of the part before take works off the market until they are delivered.
  await untilQuiet()
  await addWorks({ run, postgresUrl: postgres.url }, ORDERS)
  await untilQuiet()
  const works = (await worksForSale(run)).slice(0, ORDERS)
  const buyers = await Promise.all(accountsOf(run, 'collector').map((account) => logIn(run, account)))
  const { started } = await startAtOnce({ buyers, works, atOnce: AT_ONCE, deliverTo: 'wallet' })
  log(`${started.length} purchases started`)

  await whileStopped([pids.minting], async () => untilAuthorised(postgres.url, await payAll(run, started)))
  log('all are authorised')
  const began = performance.now()
  await untilCompleted(postgres.url, started)
  const settled = (started.length * 1_000) / (performance.now() - began)
  log(`${settled.toFixed(1)} settled a second`)

  await untilQuiet()
  const bare = await transfersPerSecond(run, { count: BARE_TRANSFERS, maxUnmined: MAX_UNMINED })
  const reconciliation = await measureReconciliation(
    { ...(await paymentsOf(folder, pids.payments)), log },
    { all: true },
  )
  return [
    { target: targets.single, figure: settled, baseline: bare },
    { target: targets.batches, figure: settled, baseline: bare },
    ...reconciliation.map((each) => ({ ...each, name: `reconciliation of all orders of the cluster: ${each.name}` })),
  ]
}

async function paymentsOf(folder: string, pid: number) {
  const { internalUrls, operator } = JSON.parse(await readFile(join(folder, 'operator.json'), 'utf8'))
  const credential = operatorCredential(operator)
  const client = createServiceClient({ url: internalUrls.payments, credential, name: 'payments' })
  return { client, residentMb: () => residentMb(pid) }
}

async function payAll(run: RunFile, started: Started[]): Promise<Paid[]> {
  const paid: Paid[] = []
  await forEachAtOnce(started, AT_ONCE, async ({ orderId, url }) => {
    const { body } = await pay(run, url, run.cards.approved)
    if (body.status !== 'authorised') throw new Error(`the payment of order ${orderId} is ${body.status}`)
    paid.push({ orderId, at: Date.now() })
  })
  return paid
}

const untilCompleted = (postgresUrl: string, orders: Started[]) =>
  waitUntil(
    async () => {
      const [row] = await query<{ open: number }>(
        postgresUrl,
        `select count(*)::int as open from line where order_id = any($1) and state <> 'completed'`,
        { database: 'payments', values: [orders.map(({ orderId }) => orderId)] },
      )
      return row!.open === 0
    },
    { timeoutMs: 900_000, intervalMs: 250 },
  )
