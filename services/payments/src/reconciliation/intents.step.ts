import { anyOf } from '@nifty/service-kit/database/database'
import type Stripe from 'stripe'
import { storeFoundPayment } from '../orders/found-payment.actions.ts'
import { lockOrders } from '../orders/order.store.ts'
import { type Hold, holdOf } from '../processor/processor.ts'
import { type ComparedOrder, comparedColumns, processorSums } from './compare-order.ts'
import { compareOrders, withdrawnCents } from './compare-orders.ts'
import { markReconciled, markUnreconciled, saveDifferences } from './reconciliation.store.ts'
import { add, type Difference, formatSums, nothing } from './reconciliation.ts'
import type { ReconciliationStep, StepContext } from './reconciliation-step.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The page is one transaction, and the refunds and disputes of each refunded or disputed intent are two calls. */
const REVERSED_AT_MOST = 5

/** What is compared of an intent. `claimed`, `store`: the order and store that its creator named, as written there. */
type Found = { claimed: string; store: string | undefined; hold: Hold }

export const foundOf = (intent: Stripe.PaymentIntent): Found => ({
  claimed: intent.metadata.order ?? '',
  store: intent.metadata.store,
  hold: holdOf(intent),
})

/** What the processor holds or has captured. */
const paidStatuses: readonly Stripe.PaymentIntent.Status[] = ['requires_capture', 'succeeded']

/**
 * Compares the intents that the processor created in the period, up to 100 with one call. Orders that differ or are not
 * settled are left to the step `orders`, which reads each of them. Intents of other shops are counted.
 */
export const intents: ReconciliationStep = async (context) => {
  const { trx } = context
  const { page, isMore } = await readPage(context)
  const claimed = page.map((found) => found.claimed).filter((id) => uuid.test(id))
  const found =
    claimed.length === 0
      ? []
      : await trx.selectFrom('orders').select(comparedColumns).where('id', '=', anyOf(claimed)).execute()
  const byId = new Map(found.map((order) => [order.id, order]))

  const paid: { orderId: string; intentId: string }[] = []
  const pairs: { order: ComparedOrder; hold: Hold }[] = []
  const differences: Difference[] = []
  let foreign = 0
  let [ours, theirs] = [nothing, nothing]
  for (const intent of page) {
    const { hold } = intent
    const order = byId.get(intent.claimed)
    const isOurs = intent.store === context.storeId
    if (order && (order.intentId === hold.id || (order.intentId === null && isOurs))) {
      if (order.intentId) pairs.push({ order, hold })
      else if (paidStatuses.includes(hold.status)) paid.push({ orderId: order.id, intentId: hold.id })
      continue
    }
    if (!isOurs) foreign++
    const difference = await withoutOrder(intent, context)
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
  const cursor = isMore ? page.at(-1)!.hold.id : null
  return { cursor, compared: page.length - foreign, foreign, ours, processor: theirs }
}

/**
 * Keeps of the processor's answer, which is hundreds of kB, what is compared: what a page holds during its calls
 * outlives the collections of young objects, and waits in the old generation for a full one.
 */
async function readPage({ run, processor }: StepContext): Promise<{ page: Found[]; isMore: boolean }> {
  const { data, has_more } = await processor.intentsOf(run, run.cursor)
  const page = firstReversed(data.map(foundOf))
  return { page, isMore: has_more || page.length < data.length }
}

/** The intents up to the last one of which the page may read refunds and disputes. */
function firstReversed(found: Found[]): Found[] {
  let reversed = 0
  const end = found.findIndex(({ hold }) => hold.isReversed && ++reversed > REVERSED_AT_MOST)
  return end === -1 ? found : found.slice(0, end)
}

/** An intent of this store that none of its orders has; null for others, and when nothing of it is held or kept. */
export async function withoutOrder(
  { claimed, store, hold }: Found,
  { processor, storeId }: Pick<StepContext, 'processor' | 'storeId'>,
): Promise<Difference | null> {
  if (store !== storeId) return null
  const withdrawn = hold.isReversed ? await withdrawnCents(processor, hold.id) : 0
  const sums = processorSums(hold, { wasHeld: false, withdrawnCents: withdrawn })
  if (sums.inFlightCents === 0 && sums.capturedCents === withdrawn) return null
  const { id: intentId } = hold
  const detail = `this store has no order of it: ${formatSums(sums)}`
  return {
    kind: 'intent',
    subject: intentId,
    orderId: uuid.test(claimed) ? claimed : null,
    intentId,
    detail,
  }
}
