import { runStep } from '../orders/run-step.ts'
import { orMissing } from '../processor/failure.ts'
import { syncReversals } from '../reversals/reversal.actions.ts'
import { type Compared, type ComparedOrder, comparedColumns } from './compare-order.ts'
import { compareOrders } from './compare-orders.ts'
import { deleteDifferences, markReconciled, saveDifferences } from './reconciliation.store.ts'
import { add, nothing } from './reconciliation.ts'
import type { ReconciliationStep, StepContext } from './reconciliation-step.ts'

/** Few: each is a call to the processor, and the page is one transaction. */
const PAGE_ROWS = 10
const STEPS_AT_MOST = 4

/**
 * Compares every order whose money changed since it was last compared, that differed then, or whose money is still
 * held.
 */
export const orders: ReconciliationStep = async (context) => {
  const { trx, run } = context
  const page = await trx
    .selectFrom('orders')
    .select(comparedColumns)
    .where('unreconciledChanges', '>', 0)
    .where('createdAt', '<', run.until)
    .$if(run.cursor !== null, (query) => query.where('id', '>', run.cursor!))
    .orderBy('id')
    .limit(PAGE_ROWS)
    .execute()

  let [ours, theirs] = [nothing, nothing]
  const agreed: (Compared & { order: ComparedOrder })[] = []
  for (const order of page) {
    const compared = await compareWithSteps(context, order)
    ours = add(ours, compared.ours)
    theirs = add(theirs, compared.processor)
    const { id: orderId, intentId } = compared.order
    const { detail } = compared
    if (detail === null) agreed.push(compared)
    else await saveDifferences(trx, [{ kind: 'order', subject: orderId, orderId, intentId, detail }])
  }
  // At the end: marking locks the orders.
  await deleteDifferences(
    trx,
    'order',
    agreed.map(({ order }) => order.id),
  )
  await markReconciled(
    trx,
    agreed.filter(({ isSettled }) => isSettled).map(({ order }) => order),
  )
  return { cursor: page.length < PAGE_ROWS ? null : page.at(-1)!.id, compared: page.length, ours, processor: theirs }
}

/**
 * On a difference reads refunds and disputes, runs the order's pending steps and compares again: an event may be lost,
 * and a step may be due.
 */
async function compareWithSteps(context: StepContext, order: ComparedOrder) {
  const first = await compareOne(context, order)
  if (first.detail === null) return first
  await context.longPool.transaction().execute((trx) => syncReversals(trx, context, order.id))
  for (let steps = 0; steps < STEPS_AT_MOST; steps++) {
    // A step that fails is retried by the worker of the orders; the difference stays.
    const done = await runStep(context, order.id).catch((error) => {
      context.log.info({ err: error, orderId: order.id }, 'reconciliation: step of an order failed')
    })
    if (done?.nextRunInMs !== 0) break
  }
  const again = await context.trx
    .selectFrom('orders')
    .select(comparedColumns)
    .where('id', '=', order.id)
    .executeTakeFirstOrThrow()
  return compareOne(context, again)
}

async function compareOne(context: StepContext, order: ComparedOrder) {
  const hold = order.intentId === null ? null : await orMissing(context.processor.hold(order.intentId))
  const [compared] = await compareOrders(context, [{ order, hold }])
  return compared!
}
