import type { Reconciliation } from '@nifty/api/payments/ops'
import { type Kysely, sql } from 'kysely'
import type { Database, Order } from '../db.ts'
import { findOrder } from '../orders/order.store.ts'
import { runStep, type StepDeps } from '../orders/run-step.ts'
import { type Hold, holdOf } from '../processor/processor.ts'
import {
  add,
  type Difference,
  formatSums,
  isSame,
  nothing,
  ourSums,
  processorSums,
  type Sums,
} from './reconciliation.ts'

const DAY_MS = 86_400_000

type Reconciling = StepDeps & { db: Kysely<Database> }

/** Compares all holds of this store with those at the processor, and the captured sum with the book entries. */
export async function reconcileMoney(deps: Reconciling): Promise<Reconciliation> {
  const { db, processor } = deps
  const orders = await db.selectFrom('orders').selectAll().where('sessionId', 'is not', null).execute()
  const byId = new Map(orders.map((order) => [order.id, order]))
  const unseen = new Map(orders.filter(({ money }) => money !== 'none').map((order) => [order.id, order]))
  const differences: Difference[] = []
  let [ours, theirs] = [nothing, nothing]

  for await (const intent of processor.intentsSince(await databaseCreatedAt(db))) {
    const order = byId.get(intent.metadata.order ?? '')
    if (!order) {
      const sums = processorSums(holdOf(intent), false)
      const what = `not an order of ours: ${formatSums(sums)}`
      if (sums.heldCents > 0) differences.push({ orderId: intent.metadata.order ?? null, intentId: intent.id, what })
      theirs = add(theirs, sums)
      continue
    }
    unseen.delete(order.id)
    const compared = await compare(deps, order, holdOf(intent))
    ours = add(ours, compared.ours)
    theirs = add(theirs, compared.theirs)
    if (compared.difference) differences.push(compared.difference)
  }
  for (const { id: orderId, intentId, ...money } of unseen.values()) {
    ours = add(ours, ourSums(money))
    differences.push({ orderId, intentId, what: 'the processor has no such hold' })
  }

  const bookedCents = await booked(db)
  if (bookedCents !== ours.capturedCents) {
    const what = `booked ${bookedCents} where ${ours.capturedCents} were captured`
    differences.push({ orderId: null, intentId: null, what })
  }
  return { balanced: differences.length === 0, ours: { ...ours, bookedCents }, processor: theirs, differences }
}

type Compared = { ours: Sums; theirs: Sums; difference?: Difference }

/** On a difference runs the order's pending steps and compares again: a step may have been due. */
async function compare(deps: Reconciling, order: Order, hold: Hold): Promise<Compared> {
  const first = compareSums(order, hold)
  if (!first.difference) return first
  for (let steps = 0; steps < 4; steps++) {
    const { nextRunInMs } = await runStep(deps, order.id)
    if (nextRunInMs !== 0) break
  }
  return compareSums((await findOrder(deps.db, order.id))!, await deps.processor.hold(hold.id))
}

function compareSums(order: Order, hold: Hold): Compared {
  const ours = ourSums(order)
  const theirs = processorSums(hold, order.money !== 'none')
  const isOtherIntent = order.intentId !== null && order.intentId !== hold.id
  if (isSame(ours, theirs) && !isOtherIntent) return { ours, theirs }
  const what = isOtherIntent
    ? 'a second intent for one order'
    : `ours: ${formatSums(ours)}; processor: ${formatSums(theirs)}`
  return { ours, theirs, difference: { orderId: order.id, intentId: hold.id, what } }
}

/** All since the database was created: a restored database may lack orders of any age that the processor has. */
async function databaseCreatedAt(db: Kysely<Database>): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`select min(ran_at) as at from migration`.execute(db)
  return new Date(rows[0]!.at.getTime() - DAY_MS)
}

const deliveredStates = ['delivered', 'capture_due', 'written_off', 'completed', 'refunded', 'disputed'] as const

export async function deliveredLines(db: Kysely<Database>): Promise<string[]> {
  const lines = await db.selectFrom('line').select('id').where('state', 'in', deliveredStates).execute()
  return lines.map(({ id }) => id)
}

async function booked(db: Kysely<Database>): Promise<number> {
  const row = await db
    .selectFrom('bookEntry')
    .select(({ fn }) => fn.sum<string | number | null>('amountCents').as('cents'))
    .executeTakeFirst()
  return Number(row?.cents ?? 0)
}

/** Stores the result for `nifty_reconcile_*`, so that an alert fires when no comparison runs. */
export async function recordReconciliation(db: Kysely<Database>, { differences }: { differences: number }) {
  const balanced = differences === 0
  await db.insertInto('reconciliation').values({ balanced, differences }).execute()
  return { balanced }
}
