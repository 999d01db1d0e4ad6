import { orderAuthorised, orderLineAuthorised } from '@nifty/events/payments'
import { publishEvent } from '@nifty/service-kit/messaging/outbox'
import { raiseAlarm } from '../../alarms/alarm.store.ts'
import { alarmMissingWebhook } from '../../alarms/missing-webhook.ts'
import type { Line } from '../../db.ts'
import type { Hold, Session } from '../../processor/processor.ts'
import { eventLine, eventOrder, giftOf, recipientOf, releaseLines } from '../line.events.ts'
import { moveLine } from '../line.store.ts'
import type { OrderChanges } from '../order.store.ts'
import { cancelsPaidOrders, deadlineOf, endsBids } from '../order.ts'
import { continueNow, type StepContext, type StepResult } from '../run-step.ts'
import { watchAgain } from './watch-delivery.ts'

/**
 * The card is held. Starts the delivery of a purchase if amount and currency are those of the order; else releases the
 * order. An offer or a bid is held until catalog decides.
 */
export async function authorise(context: StepContext, session: Session, hold: Hold): Promise<StepResult> {
  const { trx, order, lines, log } = context
  const changes: OrderChanges = {
    money: 'held',
    heldCents: hold.amount,
    intentId: hold.id,
    captureBefore: hold.captureBeforeMs === null ? null : new Date(hold.captureBeforeMs),
    ...(order.orderKind === 'purchase' ? { authorisedAt: order.now } : {}),
  }
  await alarmMissingWebhook(trx, log, { order, paidAtMs: hold.paidAtMs })

  if (!isAsOrdered(session, hold, order)) {
    const detail = `ordered ${order.totalCents} eur, held ${hold.amount} ${hold.currency}`
    await raiseAlarm(trx, log, { name: 'amount_differs', subject: session.id, orderId: order.id, detail })
    await releaseLines(context, { reason: 'cancelled', note: 'amount differs', moneyWasHeld: true })
    return { ...continueNow, changes }
  }
  if (order.orderKind !== 'purchase') {
    for (const line of lines) await moveLine(trx, line, 'held')
    const cancelRequestedBy = endsBids(order.cancelRequestedBy) ? order.cancelRequestedBy : null
    return { ...continueNow, changes: { ...changes, cancelRequestedBy } }
  }
  if (cancelsPaidOrders(order.cancelRequestedBy)) {
    await releaseLines(context, { reason: 'cancelled', note: order.cancelRequestedBy!, moneyWasHeld: true })
    return { ...continueNow, changes }
  }
  return startDelivery(context, { hold, changes })
}

type Authorised = {
  hold: Hold
  /** Of an offer that was accepted, or a bid that has won. */
  priceCents?: number
  changes?: OrderChanges
}

/** Moves the lines on to their delivery, which minting begins by the events. */
export async function startDelivery(
  context: StepContext,
  { hold, priceCents, changes }: Authorised,
): Promise<StepResult> {
  const { trx, order, lines, config } = context
  const deliverBy = deadlineOf(order.now, config.deliverWithinMs, hold)
  const authorised: Line[] = []
  for (const line of lines) {
    const moved = await moveLine(trx, line, 'authorised', { priceCents })
    authorised.push(moved)
    const card = hold.card === null ? {} : { card: hold.card }
    const recipient = { ...recipientOf(order), ...giftOf(order) }
    const event = { ...eventLine(moved, order.now), ...recipient, ...card, deliverBy: deliverBy.toISOString() }
    await publishEvent(trx, orderLineAuthorised, event)
  }
  await publishEvent(trx, orderAuthorised, {
    ...eventOrder(order, authorised, order.now),
    ...recipientOf(order),
    isGift: order.isGift,
    ...(order.orderKind === 'purchase' ? {} : { kind: order.orderKind, heldCents: hold.amount }),
    deliverBy: deliverBy.toISOString(),
    termsVersion: order.termsVersion,
  })
  return {
    ...watchAgain(context, deliverBy),
    changes: { ...changes, authorisedAt: order.now, deliverBy, cancelRequestedBy: null },
    held: { cents: hold.amount, lines: lines.length },
  }
}

const CURRENCY = 'eur'

/** Session and hold must both have exactly the amount and currency of the order. */
const isAsOrdered = (
  session: Pick<Session, 'amount' | 'currency'>,
  hold: Pick<Hold, 'amount' | 'currency'>,
  { totalCents }: { totalCents: number },
): boolean =>
  session.amount === totalCents &&
  session.currency === CURRENCY &&
  hold.amount === totalCents &&
  hold.currency === CURRENCY
