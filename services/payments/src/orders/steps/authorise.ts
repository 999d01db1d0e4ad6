import { orderLineAuthorised } from '@nifty/events/payments'
import { publishEvent } from '@nifty/service-kit/messaging/outbox'
import { raiseAlarm } from '../../alarms/alarm.store.ts'
import { noticeMissingWebhook } from '../../alarms/missing-webhook.ts'
import type { Hold, Session } from '../../processor/processor.ts'
import { eventLine, releaseLines } from '../line.events.ts'
import { moveLine } from '../line.store.ts'
import { changeOrder } from '../order.store.ts'
import { reachesPaid } from '../order.ts'
import { goOn, type StepResult, type Work } from '../run-step.ts'

/** The money is held. Only then, and only when it is what was ordered, minting may deliver. */
export async function authorise(work: Work, session: Session, hold: Hold): Promise<StepResult> {
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
    await releaseLines(work, { reason: 'cancelled', note: 'amount differs', moneyWasHeld: true })
    return goOn
  }
  if (reachesPaid(order.stop)) {
    await releaseLines(work, { reason: 'cancelled', note: order.stop!, moneyWasHeld: true })
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

const CURRENCY = 'eur'

/** The page and the hold must both be about exactly what was ordered. */
const isAsOrdered = (
  session: Pick<Session, 'amount' | 'currency'>,
  hold: Pick<Hold, 'amount' | 'currency'>,
  { totalCents }: { totalCents: number },
): boolean =>
  session.amount === totalCents &&
  session.currency === CURRENCY &&
  hold.amount === totalCents &&
  hold.currency === CURRENCY
