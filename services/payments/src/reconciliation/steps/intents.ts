import { anyOf } from '@nifty/service-kit/database'
import type Stripe from 'stripe'
import type { Order } from '../../db.ts'
import { storeFoundPayment } from '../../orders/found-payment.actions.ts'
import { lockOrders } from '../../orders/order.store.ts'
import { holdOf, type Processor } from '../../processor/processor.ts'
import { compareOrders, withdrawnCents } from '../compare-orders.ts'
import { markReconciled, markUnreconciled, saveDifferences } from '../reconciliation.store.ts'
import { add, type Difference, formatSums, nothing, processorSums } from '../reconciliation.ts'
import type { ReconciliationStep } from '../run-page.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The page is one transaction, and the refunds and disputes of each refunded or disputed intent are two calls. */
const REVERSED_AT_MOST = 5

/** What the processor holds or has captured. */
const paidStatuses: readonly Stripe.PaymentIntent.Status[] = ['requires_capture', 'succeeded']

/**
 * Compares the intents that the processor created in the period, up to 100 with one call. Orders that differ or are not settled
 * are left to the step `orders`, which reads each of them.
 */
export const intents: ReconciliationStep = async (context) => {
  const { trx, run, processor } = context
  const { data, has_more } = await processor.intentsOf(run, run.cursor)
  const page = firstReversed(data)
  const claimed = page.map(({ metadata }) => metadata.order ?? '').filter((id) => uuid.test(id))
  const found =
    claimed.length === 0 ? [] : await trx.selectFrom('orders').selectAll().where('id', '=', anyOf(claimed)).execute()
  const byId = new Map(found.map((order) => [order.id, order]))

  const paid: { orderId: string; intentId: string }[] = []
  const pairs: { order: Order; hold: ReturnType<typeof holdOf> }[] = []
  const differences: Difference[] = []
  let [ours, theirs] = [nothing, nothing]
  for (const intent of page) {
    const order = byId.get(intent.metadata.order ?? '')
    const hold = holdOf(intent)
    if (order && (order.intentId === null || order.intentId === hold.id)) {
      if (order.intentId) pairs.push({ order, hold })
      else if (paidStatuses.includes(hold.status)) paid.push({ orderId: order.id, intentId: hold.id })
      continue
    }
    const difference = await foreign(intent, processor)
    if (difference) differences.push(difference)
  }

  const compared = await compareOrders(context, pairs)
  const agreed = compared.filter(({ detail, isSettled }) => detail === null && isSettled)
  const different = compared.filter(({ detail }) => detail !== null).map(({ order }) => order.id)
  // After the last call to another system, and all at once.
  await lockOrders(trx, [...paid.map(({ orderId }) => orderId), ...agreed.map(({ order }) => order.id), ...different])
  for (const { orderId, intentId } of paid) await storeFoundPayment(trx, orderId, { sessionId: null, intentId })
  const marked = await markReconciled(
    trx,
    agreed.map(({ order }) => order),
  )
  for (const each of agreed)
    if (marked.has(each.order.id)) [ours, theirs] = [add(ours, each.ours), add(theirs, each.processor)]
  await markUnreconciled(trx, different)
  await saveDifferences(trx, differences)
  const isMore = has_more || page.length < data.length
  return { cursor: isMore ? page.at(-1)!.id : null, compared: page.length, ours, processor: theirs }
}

/** The intents up to the last one of which the page may read refunds and disputes. */
function firstReversed(data: Stripe.PaymentIntent[]): Stripe.PaymentIntent[] {
  let reversed = 0
  const end = data.findIndex((intent) => holdOf(intent).isReversed && ++reversed > REVERSED_AT_MOST)
  return end === -1 ? data : data.slice(0, end)
}

/** An intent that no order of this store has; null when nothing of it is held or kept. */
export async function foreign(intent: Stripe.PaymentIntent, processor: Processor): Promise<Difference | null> {
  const hold = holdOf(intent)
  const withdrawn = hold.isReversed ? await withdrawnCents(processor, hold.id) : 0
  const sums = processorSums(hold, { wasHeld: false, withdrawnCents: withdrawn })
  if (sums.inFlightCents === 0 && sums.capturedCents === withdrawn) return null
  const { id: intentId, metadata } = intent
  const detail = `not an order of ours: ${formatSums(sums)}`
  return {
    kind: 'intent',
    subject: intentId,
    orderId: uuid.test(metadata.order ?? '') ? metadata.order! : null,
    intentId,
    detail,
  }
}
