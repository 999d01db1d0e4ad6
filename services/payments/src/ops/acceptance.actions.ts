import { randomUUID } from 'node:crypto'
import type { BothSides, ProcessorSide } from '@nifty/api/payments/ops-money'
import { conflict } from '@nifty/service-kit/base/errors'
import { type OperatorReason, recordOperatorAction } from '@nifty/service-kit/database/operator-audit'
import type { Transaction } from 'kysely'
import type { Database, Line } from '../db.ts'
import type { Deps } from '../deps.ts'
import { linesOf } from '../orders/line.store.ts'
import { isUndecided, isUnpaid } from '../orders/line.ts'
import { orderNotFound } from '../orders/order.errors.ts'
import { changeOrder, type LockedOrder, lockOrder, wakeOrder } from '../orders/order.store.ts'
import type { StepDeps } from '../orders/run-step.ts'
import { authorise } from '../orders/steps/authorise.ts'
import { recordCapture } from '../orders/steps/record-capture.ts'
import { orMissing } from '../processor/failure.ts'
import type { Hold, Session } from '../processor/processor.ts'
import type { ProcessorReversal } from '../processor/reversal.ts'
import { insertRefund } from '../refunds/refund.store.ts'
import { recordReversal } from '../reversals/reversal.actions.ts'
import { reversalsOf } from '../reversals/reversal.store.ts'
import { acceptanceOf, effectsOf, isSameSide, processorSide } from './acceptance.ts'

type Read = {
  order: LockedOrder
  lines: Line[]
  /** Null when only the payment of the order was found. */
  session: Session | null
  hold: Hold
  reversals: ProcessorReversal[]
  sides: BothSides
}

/** An order as stored here and at the processor. Throws 404, and 409 `no_payment` or `session_missing`. */
export const compareSides = (deps: StepDeps, orderId: string): Promise<BothSides> =>
  deps.longPool.transaction().execute(async (trx) => (await readSides(trx, deps, orderId)).sides)

async function readSides(trx: Transaction<Database>, deps: StepDeps, orderId: string): Promise<Read> {
  const order = await lockOrder(trx, orderId)
  if (!order) throw orderNotFound()
  const session = order.sessionId ? await orMissing(deps.processor.session(order.sessionId)) : null
  const hold = session?.hold ?? (order.intentId ? await orMissing(deps.processor.hold(order.intentId)) : null)
  if (!hold && ((order.sessionId && !session) || order.intentId))
    throw conflict('session_missing', 'The card processor does not have the payment of this order')
  if (!hold) throw conflict('no_payment', 'Nobody paid this order')
  const lines = await linesOf(trx, orderId)
  const reversals = await deps.processor.reversals(hold.id)
  const known = await reversalsOf(trx, orderId)
  const sum = (kind: string) => known.reduce((cents, one) => cents + (one.kind === kind ? one.withdrawnCents : 0), 0)
  const { money, heldCents, captureCents, capturedCents } = order
  const store = {
    money,
    heldCents,
    captureCents,
    capturedCents,
    refundedCents: sum('refund'),
    disputedCents: sum('dispute'),
    lines: lines.map(({ id, name, state, priceCents }) => ({ _id: id, name, state, priceCents })),
  }
  const sides = { store, processor: processorSide(hold, reversals) }
  const acceptance = acceptanceOf(order, lines, hold)
  const effects = effectsOf(acceptance, lines, sides)
  const isDeliveryOpen = acceptance === 'wait'
  return { order, lines, session, hold, reversals, sides: { orderId, ...sides, isDeliveryOpen, effects } }
}

type Accept = OperatorReason & { orderId: string; seen: ProcessorSide }

/**
 * Records the processor's side of a payment. Throws 409 `processor_changed` unless it is as `seen`, `delivery_open`
 * while the outcome of a delivery is open, `offer_undecided` for an offer or a bid that is not decided. What was
 * captured without a delivery is refunded by the worker.
 */
export async function acceptSides(deps: Deps, { orderId, seen, operator, reason }: Accept): Promise<BothSides> {
  await deps.longPool.transaction().execute(async (trx) => {
    const read = await readSides(trx, deps, orderId)
    if (!isSameSide(read.sides.processor, seen))
      throw conflict('processor_changed', 'The processor has another state by now: look again')
    await recordOperatorAction(trx, { action: 'accept', subject: orderId, operator, reason })
    await apply(trx, deps, read)
    await wakeOrder(trx, orderId)
  })
  await deps.runner.untilIdle(orderId)
  return compareSides(deps, orderId)
}

async function apply(trx: Transaction<Database>, deps: StepDeps, { order, lines, session, hold, reversals }: Read) {
  const acceptance = acceptanceOf(order, lines, hold)
  if (acceptance === 'wait')
    throw lines.some((line) => line.conditional && (isUnpaid(line) || isUndecided(line)))
      ? conflict('offer_undecided', 'Cancel this offer or bid first')
      : conflict('delivery_open', 'A delivery of this order is under way')
  if (acceptance === 'start_delivery' && session) {
    const { changes } = await authorise({ ...deps, trx, order, lines }, session, hold)
    if (changes) await changeOrder(trx, order.id, changes)
  }
  if (acceptance === 'record_capture') {
    await changeOrder(trx, order.id, { heldCents: hold.amount, intentId: hold.id })
    await recordCapture({ trx, order, lines }, hold.capturedCents)
    for (const { id: lineId, state, capturedCents } of await linesOf(trx, order.id))
      if (state === 'released' && capturedCents > 0)
        await insertRefund(trx, { id: randomUUID(), lineId, amountCents: capturedCents })
  }
  for (const reversal of reversals) await recordReversal(trx, deps, { order, reversal })
}
