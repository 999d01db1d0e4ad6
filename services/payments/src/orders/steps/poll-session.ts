import { orderLineAuthorised } from '@nifty/events/payments'
import { unavailable } from '@nifty/service-kit/errors'
import { publishEvent } from '@nifty/service-kit/messaging/outbox'
import type Stripe from 'stripe'
import { raiseAlarm } from '../../alarms/alarm.store.ts'
import { isKeyTooOld, meaningOf } from '../../processor/failure.ts'
import type { Hold, Session } from '../../processor/processor.ts'
import { noticeMissingWebhook } from '../../webhooks/webhook.store.ts'
import { eventLine, releaseLine } from '../line.events.ts'
import { moveLine } from '../line.store.ts'
import type { Reason } from '../line.ts'
import { changeOrder } from '../order.store.ts'
import { reachesPaid } from '../order.ts'
import { goOn, lookIn, nothingLeft, type StepResult, type Work } from '../step.ts'
import { isAsOrdered } from './authorise.ts'

export const paymentsUnavailable = () => unavailable('payments_unavailable', 'Payments are temporarily unavailable')

/** Opens the processor's page with the stored parameters, or finds the one that a lost answer left behind. */
export async function openSession(work: Work): Promise<StepResult> {
  const { trx, order, lines, config } = work
  const session = await createOrFind(work)
  if (!session) {
    await releaseAll(work, { reason: order.stop ? 'cancelled' : 'expired', note: 'no payment page was opened' })
    return { ...nothingLeft, refusal: paymentsUnavailable() }
  }
  await changeOrder(trx, order.id, { sessionId: session.id, sessionUrl: session.url })
  for (const line of lines) await moveLine(trx, line, 'awaiting_payment')
  return order.stop ? goOn : lookIn(config.pollMs)
}

/** Null: the processor is certain that there is none. */
async function createOrFind({ order, processor }: Work): Promise<Session | null> {
  const askedAt = order.sessionAskedAt!
  if (isKeyTooOld(askedAt, order.now)) return processor.findSession(order.id, askedAt)
  try {
    return await processor.createSession(order.sessionRequest as Stripe.Checkout.SessionCreateParams, `cs:${order.id}`)
  } catch (error) {
    const meaning = meaningOf(error)
    if (meaning === 'unknown') throw error
    return processor.findSession(order.id, askedAt)
  }
}

/** Reads what became of the page. Only the processor's word ends the wait. */
export async function lookAtSession(work: Work): Promise<StepResult> {
  return follow(work, await work.processor.session(work.order.sessionId!))
}

/** Closes the page. The processor decides between this and a payment of the same moment. */
export async function expireSession(work: Work): Promise<StepResult> {
  const { order, processor } = work
  try {
    return await follow(work, await processor.expireSession(order.sessionId!))
  } catch (error) {
    if (meaningOf(error) !== 'refused') throw error
    return follow(work, await processor.session(order.sessionId!))
  }
}

async function follow(work: Work, session: Session): Promise<StepResult> {
  const { order, config } = work
  if (session.status === 'open') return lookIn(config.pollMs)
  if (session.status === 'expired') {
    await releaseAll(work, order.stop ? { reason: 'cancelled', note: order.stop } : { reason: 'expired' })
    return nothingLeft
  }
  const { hold } = session
  if (hold?.status === 'requires_capture') return authorise(work, session, hold)
  if (hold?.status === 'canceled') {
    await releaseAll(work, { reason: 'expired', note: hold.cancelledBecause ?? undefined })
    return nothingLeft
  }
  await raiseAlarm(work.trx, work.log, {
    name: 'captured_unasked',
    subject: session.id,
    orderId: order.id,
    detail: `session complete, intent ${hold?.status ?? 'missing'}`,
  })
  return lookIn(config.pollMs)
}

/** The money is held. Only then, and only when it is what was ordered, minting may deliver. */
async function authorise(work: Work, session: Session, hold: Hold): Promise<StepResult> {
  const { trx, order, lines, config, log } = work
  await changeOrder(trx, order.id, {
    money: 'held',
    heldCents: hold.amount,
    intentId: hold.id,
    authorisedAt: order.now,
  })
  await noticeMissingWebhook(trx, log, { order, paidAtMs: hold.paidAtMs })

  if (!isAsOrdered(session, hold, order)) {
    const detail = `ordered ${order.totalCents} eur, held ${hold.amount} ${hold.currency}`
    await raiseAlarm(trx, log, { name: 'amount_differs', subject: session.id, orderId: order.id, detail })
    await releaseAll(work, { reason: 'cancelled', note: 'amount differs', moneyWasHeld: true })
    return goOn
  }
  if (reachesPaid(order.stop)) {
    await releaseAll(work, { reason: 'cancelled', note: order.stop!, moneyWasHeld: true })
    return goOn
  }
  const deliverBy = new Date(order.now.getTime() + config.deliverWithinMs)
  await changeOrder(trx, order.id, { deliverBy, stop: null })
  for (const line of lines) {
    const moved = await moveLine(trx, line, 'authorised')
    const event = { ...eventLine(moved, order.now), wallet: order.wallet, deliverBy: deliverBy.toISOString() }
    await publishEvent(trx, orderLineAuthorised, event)
  }
  return goOn
}

/** A released order whose page was paid after all: impossible by the rules, so the hold goes back and a person is told. */
export async function lookAgain({ trx, order, processor, log }: Work): Promise<StepResult> {
  const { status, hold } = await processor.session(order.sessionId!)
  if (status !== 'complete' || hold?.status !== 'requires_capture') return nothingLeft
  await changeOrder(trx, order.id, { money: 'held', heldCents: hold.amount, intentId: hold.id })
  const detail = `hold of ${hold.amount} on a released order`
  await raiseAlarm(trx, log, { name: 'paid_after_release', subject: order.id, orderId: order.id, detail })
  return goOn
}

type Ending = { reason: Reason; note?: string; moneyWasHeld?: boolean }

async function releaseAll({ trx, order, lines }: Work, { moneyWasHeld = false, ...ending }: Ending) {
  for (const line of lines) await releaseLine(trx, line, { ...ending, moneyWasHeld, at: order.now })
}
