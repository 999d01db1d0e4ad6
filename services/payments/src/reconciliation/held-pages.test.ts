import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { checkFinalDeliveries } from '@nifty/api/minting/internal'
import { startReconciliation } from '@nifty/api/payments/ops'
import { type KyselyPlugin, sql } from 'kysely'
import { expect, test } from 'vitest'
import type { StepDeps } from '../orders/run-step.ts'
import { type Payments, startTestPayments } from '../testing/payments.ts'
import { wallet } from '../testing/peers.ts'
import { finishRun } from '../testing/reconciliation.ts'

const ORDERS = 2_050
const PAGE = 100
const seller = randomUUID()

/** Completed orders of one line, with delivery, token and item, by the numbers of their intents. */
async function givenCompletedOrders({ db, peers }: Payments) {
  await db.transaction().execute(async (trx) => {
    // No triggers: a line becomes completed in several steps.
    await sql`set local session_replication_role = replica`.execute(trx)
    await sql`insert into orders (id, buyer_id, wallet, terms_version, total_cents, commission_bps, expires_at, session_request,
        session_id, intent_id, money, held_cents, authorised_at, capture_cents, captured_cents)
      select gen_random_uuid(), gen_random_uuid(), ${wallet}, 'v1', 5000, 1000, now(), json_build_object('of', i),
        'cs_' || i, 'pi_' || i, 'captured', 5000, now(), 5000, 5000 from generate_series(1, ${ORDERS}::int) i`.execute(
      trx,
    )
    await sql`insert into line (id, order_id, position, buyer_id, item_id, price_cents, captured_cents, state, contract,
        identifier, name, image, seller_id, creator_id, royalty_bps, listing_version)
      select gen_random_uuid(), id, 0, buyer_id, gen_random_uuid(), 5000, 5000, 'completed', '0xa', intent_id, 'Work', '/1',
        ${seller}::uuid, ${seller}::uuid, 500, 1 from orders`.execute(trx)
    await sql`insert into book_entry (line_id, kind, user_id, amount_cents, cause, at)
      select id, 'sale', ${seller}::uuid, 5000, 'capture', now() from line`.execute(trx)
  })
  for (const { id, identifier } of await db.selectFrom('line').select(['id', 'identifier']).execute()) {
    peers.finalLines.add(id)
    for (const owners of [peers.tokenOwners, peers.itemOwners]) owners.set(`0xa/${identifier}`, seller)
  }
  const orders = await db.selectFrom('orders').select(['id', 'intentId']).execute()
  return new Map(orders.map(({ id, intentId }) => [Number(intentId!.slice('pi_'.length)), id]))
}

/** The processor's list of these orders, newest first, and references to the intents that it has returned. */
function listOf(orders: Map<number, string>) {
  const answered: WeakRef<object>[] = []
  async function intentsOf(_period: unknown, after: string | null) {
    const newest = after === null ? ORDERS : Number(after.slice(3)) - 1
    const oldest = Math.max(newest - PAGE + 1, 1)
    const data = Array.from({ length: newest - oldest + 1 }, (_, index) => ({
      id: `pi_${newest - index}`,
      status: 'succeeded',
      amount: 5_000,
      amount_received: 5_000,
      currency: 'eur',
      cancellation_reason: null,
      latest_charge: null,
      metadata: { order: orders.get(newest - index)! },
    }))
    answered.push(...data.map((intent) => new WeakRef(intent)))
    return { data, has_more: oldest > 1 }
  }
  return { answered, intentsOf: intentsOf as unknown as StepDeps['processor']['intentsOf'] }
}

function collector() {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  return async () => {
    // What a reference named in the same turn stays until the turn ends.
    await setImmediate()
    collect()
  }
}

/** Rows of each result, and every column that was read. */
function resultsOf(pool: StepDeps['longPool']) {
  const rowCounts: number[] = []
  const columns = new Set<string>()
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      rowCounts.push(result.rows.length)
      for (const row of result.rows) for (const name of Object.keys(row)) columns.add(name)
      return result
    },
  }
  return { rowCounts, columns, longPool: pool.withPlugin(plugin) }
}

test('a full run holds one page at a time, and of that what it compares', async () => {
  const payments = await startTestPayments({ manual: true })
  const { deps, internal } = payments
  const { answered, intentsOf } = listOf(await givenCompletedOrders(payments))
  const { rowCounts, columns, longPool } = resultsOf(deps.longPool)
  const collect = collector()
  const held: number[] = []
  const asked: number[] = []
  const minting = (async (...call: Parameters<StepDeps['minting']>) => {
    if (call[0] === (checkFinalDeliveries as unknown)) {
      await collect()
      held.push(answered.filter((intent) => intent.deref()).length)
      asked.push((call[1] as unknown as { body: { lineIds: string[] } }).body.lineIds.length)
    }
    return deps.minting(...call)
  }) as StepDeps['minting']

  await internal(startReconciliation, { body: { all: true } })
  const run = await finishRun(payments, { ...deps, longPool, minting, processor: { ...deps.processor, intentsOf } })

  const all = Object.fromEntries(
    ['all_orders', 'intents', 'deliveries', 'owners', 'items'].map((step) => [step, ORDERS]),
  )
  expect(run).toMatchObject({ differences: [], compared: { ...all, orders: 0 } })
  expect(answered).toHaveLength(ORDERS)
  // The last call is of the step `differences`, which has none.
  expect(asked).toEqual([...Array(20).fill(PAGE), 50, 0])
  expect(held).toEqual(Array(22).fill(0))
  expect(Math.max(...rowCounts)).toBe(2_000)
  expect(columns).not.toContain('sessionRequest')
})
