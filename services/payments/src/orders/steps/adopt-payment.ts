import { withdrawBid } from '@nifty/api/catalog/bids'
import type { Stop } from '@nifty/api/minting/internal'
import { orderLineAuthorised } from '@nifty/events/payments'
import { ExpectedError } from '@nifty/service-kit/base/errors'
import { publishEvent } from '@nifty/service-kit/messaging/outbox'
import { type Alarm, raiseAlarm } from '../../alarms/alarm.store.ts'
import type { Line, Money } from '../../db.ts'
import type { Hold, Session } from '../../processor/processor.ts'
import { syncReversals } from '../../reversals/reversal.actions.ts'
import { eventLine, recipientOf, releaseLine, releaseLines } from '../line.events.ts'
import { moveInDelivery, moveLine } from '../line.store.ts'
import { changeOrder } from '../order.store.ts'
import { cancelsPaidOrders, deadlineOf } from '../order.ts'
import { continueNow, retryIn, type StepContext, type StepResult } from '../run-step.ts'
import { isDeliveryOf, PENDING_RETRY_MS, requestStop } from './stop-delivery.ts'

/** While an operator has to decide. A cancellation request or an event of the payment runs the step at once. */
export const OPERATOR_RETRY_MS = 3_600_000

/**
 * Applies a payment whose later course this database does not have: it was restored from an older backup. A line that
 * the chain has delivered is delivered here, and the next steps capture it or find it captured. A line that it has not
 * is stopped and released, also when its card is held. A signed one is in delivery. The lines are unpaid, or an offer
 * or a bid that is held. What it cannot decide it leaves to an operator, who may cancel the order. `lostBecause`: the
 * note of an offer or a bid that is released.
 */
export async function adoptPayment(
  context: StepContext,
  session: Pick<Session, 'id' | 'hold'>,
  { lostBecause = 'hold_lost' } = {},
): Promise<StepResult> {
  const { trx, order, lines, config } = context
  const { hold } = session
  const isCancelled = cancelsPaidOrders(order.cancelRequestedBy)
  if (!hold && isCancelled) {
    await releaseLines(context, { reason: 'cancelled', note: order.cancelRequestedBy! })
    return continueNow
  }
  if (!hold || !adoptedStatuses.includes(hold.status))
    return awaitOperator(context, {
      name: 'hold_missing',
      subject: session.id,
      detail: `session complete, intent ${hold?.status ?? 'missing'}`,
    })

  const outcomes: { line: Line; stop: Stop }[] = []
  for (const line of lines) {
    const stop = await requestStop(context, line, 'cancelled')
    if (stop.pending) return retryIn(Math.min(config.pollMs, PENDING_RETRY_MS))
    if (!stop.delivered || isDeliveryOf(line, order, stop.delivered)) outcomes.push({ line, stop })
    // What arrived elsewhere is not charged.
    else if (isCancelled) outcomes.push({ line, stop: { stopped: true } })
    else
      return awaitOperator(context, {
        name: 'delivery_contradiction',
        subject: line.id,
        detail: `the chain delivered ${stop.delivered.token} to ${stop.delivered.wallet ?? 'custody'}`,
      })
  }

  const priceCents = outcomes.every(({ stop }) => stop.stopped) ? undefined : await soldFor(context, hold)
  if (priceCents === null && !isCancelled)
    return awaitOperator(context, {
      name: 'delivery_contradiction',
      subject: order.id,
      detail: 'minting has delivered this bid, and catalog has no price for it: capture the price at the processor',
    })
  // Without a price it is not charged.
  if (priceCents === null) for (const outcome of outcomes) if (outcome.stop.delivered) outcome.stop = { stopped: true }

  const isStopped = outcomes.every(({ stop }) => stop.stopped)
  const money = moneyOf(hold, { isStopped })
  const deliverBy = deadlineOf(order.now, config.deliverWithinMs, hold)
  await changeOrder(trx, order.id, {
    money,
    heldCents: hold.amount,
    intentId: hold.id,
    authorisedAt: isStopped && order.orderKind !== 'purchase' ? null : order.now,
    deliverBy,
    cancelRequestedBy: null,
    captureBefore: hold.captureBeforeMs === null ? null : new Date(hold.captureBeforeMs),
  })
  for (const outcome of outcomes)
    await applyOutcome(context, { ...outcome, priceCents: priceCents ?? undefined, deliverBy, lostBecause })
  // Their events may have been handled before this database had the payment. Stored now, they are booked with the
  // capture.
  await syncReversals(trx, context, order.id)
  return continueNow
}

async function awaitOperator({ trx, order, log }: StepContext, alarm: Pick<Alarm, 'name' | 'subject' | 'detail'>) {
  const detail = `${alarm.detail}: see \`pnpm ops cancel-order ${order.id}\``
  await raiseAlarm(trx, log, { ...alarm, orderId: order.id, detail })
  return retryIn(OPERATOR_RETRY_MS)
}

const adoptedStatuses: readonly Hold['status'][] = ['requires_capture', 'succeeded', 'canceled']

/**
 * `held` for a captured one, too: the step `capture` finds the captured amount and books it. A cancelled one is
 * `lapsed` if a line is delivered or still may be, whoever cancelled it: that line is stopped or written off.
 */
function moneyOf({ status, cancelledBecause }: Hold, { isStopped }: { isStopped: boolean }): Money {
  if (status !== 'canceled') return 'held'
  return cancelledBecause === 'automatic' || !isStopped ? 'lapsed' : 'released'
}

/**
 * What an offer was accepted for, or what a bid has won for, in cents: what is captured, or else what catalog has.
 * Undefined: the price of the line; null: catalog has none.
 */
async function soldFor({ order, catalog }: StepContext, { status, capturedCents }: Hold) {
  if (order.orderKind === 'purchase') return undefined
  if (status === 'succeeded') return capturedCents
  if (order.orderKind === 'offer') return undefined
  // Of a bid that has won this is a reading.
  const bid = await catalog(withdrawBid, { params: { orderId: order.id } }).catch((error: unknown) => {
    if (error instanceof ExpectedError && error.code === 'bid_not_found') return undefined
    throw error
  })
  return bid?.state === 'won' ? bid.priceCents : null
}

type Outcome = { line: Line; stop: Stop; priceCents: number | undefined; deliverBy: Date; lostBecause: string }

async function applyOutcome(context: StepContext, { line, stop, priceCents, deliverBy, lostBecause }: Outcome) {
  const { trx, order } = context
  const unpaid = line.state === 'placed' ? await moveLine(trx, line, 'awaiting_payment') : line
  const isHeld = line.conditional && unpaid.state !== 'held'
  const paid = isHeld ? await moveLine(trx, unpaid, 'held', { note: 'restored' }) : unpaid
  if (line.conditional && stop.stopped)
    return releaseLine(context, paid, { reason: 'lost', note: lostBecause, moneyWasHeld: true })
  const authorised = await moveLine(trx, paid, 'authorised', { note: 'restored', priceCents })
  if (stop.stopped) {
    const release = { reason: 'cancelled', note: 'not delivered before the restore', moneyWasHeld: true } as const
    return releaseLine(context, authorised, release)
  }
  const event = { ...eventLine(authorised, order.now), ...recipientOf(order), deliverBy: deliverBy.toISOString() }
  await publishEvent(trx, orderLineAuthorised, event)
  if (stop.delivered) await moveInDelivery(trx, authorised, 'delivered', stop.delivered.txHash)
}
