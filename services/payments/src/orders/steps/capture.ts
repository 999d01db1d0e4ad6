import { orderLineCompleted } from '@nifty/events/payments'
import { publishEvent } from '@nifty/service-kit/messaging/outbox'
import { raiseAlarm } from '../../alarms/alarm.store.ts'
import { bookSale } from '../../books/book.store.ts'
import { shareOut } from '../../books/book.ts'
import type { Line } from '../../db.ts'
import { codeOf, isKeyTooOld, meaningOf } from '../../processor/failure.ts'
import type { Hold } from '../../processor/processor.ts'
import { eventLine } from '../line.events.ts'
import { moveLine, reservedLine } from '../line.store.ts'
import { isOwed } from '../line.ts'
import { changeOrder, isDisputed } from '../order.store.ts'
import { goOn, lookIn, nothingLeft, type StepResult, type Work } from '../run-step.ts'

/** Stores what will be taken, and commits it, before the processor is asked to take it. */
export async function askCapture({ trx, order, lines }: Work): Promise<StepResult> {
  await changeOrder(trx, order.id, { captureCents: captureSum(lines), captureAskedAt: order.now })
  return goOn
}

/** Takes the sum of what was delivered, once. After anything but a first try the hold itself is asked before. */
export async function capture(work: Work): Promise<StepResult> {
  const { order, processor } = work
  const { id, intentId, captureCents, captureAskedAt, captureAttempt, failures } = order
  if (failures > 0 || captureAttempt > 1 || isKeyTooOld(captureAskedAt!, order.now)) {
    const hold = await processor.hold(intentId!)
    if (hold.status !== 'requires_capture') return settle(work, hold)
  }
  try {
    return await settle(work, await processor.capture(intentId!, captureCents!, captureKey(id, captureAttempt)))
  } catch (error) {
    if (meaningOf(error) === 'unknown') throw error
    const hold = await processor.hold(intentId!)
    return hold.status === 'requires_capture' ? captureLater(work, codeOf(error)) : settle(work, hold)
  }
}

async function settle(work: Work, hold: Hold): Promise<StepResult> {
  const { trx, order, log } = work
  if (hold.status === 'succeeded' && hold.capturedCents === order.captureCents) return complete(work)
  if (hold.status === 'canceled') {
    await changeOrder(trx, order.id, { money: 'lapsed' })
    return goOn
  }
  const detail = `intent ${hold.status}, ${hold.capturedCents} cents taken where ${order.captureCents} are owed`
  await raiseAlarm(trx, log, { name: 'captured_unasked', subject: order.id, orderId: order.id, detail })
  return lookIn(retryCaptureIn(work.config.pollMs, order.captureAttempt))
}

async function complete({ trx, order, lines }: Work): Promise<StepResult> {
  await changeOrder(trx, order.id, { money: 'captured', capturedCents: order.captureCents! })
  // A dispute may be heard of before our own capture.
  const disputed = await isDisputed(trx, order.id)
  for (const line of lines.filter(isOwed)) {
    const done = reservedLine(await moveLine(trx, line, 'completed'))
    if (disputed) await moveLine(trx, done, 'disputed')
    const shares = shareOut({ ...done, commissionBps: order.commissionBps })
    await bookSale(trx, { ...shares, lineId: done.id, sellerId: done.sellerId, creatorId: done.creatorId })
    await publishEvent(trx, orderLineCompleted, { ...eventLine(done, order.now), ...shares, txHash: done.txHash! })
  }
  return nothingLeft
}

/** The processor keeps its refusals under their key, so that the next try goes under a new one; the hold arbitrates. */
async function captureLater({ trx, order, lines, config, log }: Work, code: string): Promise<StepResult> {
  for (const line of lines) if (line.state === 'delivered') await moveLine(trx, line, 'capture_due', { note: code })
  await changeOrder(trx, order.id, { captureAttempt: order.captureAttempt + 1 })
  const detail = `capture of ${order.captureCents} cents refused: ${code}`
  await raiseAlarm(trx, log, { name: 'capture_refused', subject: order.id, orderId: order.id, detail })
  return lookIn(retryCaptureIn(config.pollMs, order.captureAttempt))
}

/** Cents of what was delivered and not yet taken. */
const captureSum = (lines: Pick<Line, 'state' | 'priceCents'>[]): number =>
  lines.filter(isOwed).reduce((sum, { priceCents }) => sum + priceCents, 0)

/** One capture has one key; a try after a stored refusal has the next. */
const captureKey = (orderId: string, attempt: number) =>
  attempt === 1 ? `capture:${orderId}` : `capture:${orderId}:${attempt}`

const HOUR_MS = 3_600_000

/** Later each time, at least once an hour: a hold lives for a week. */
const retryCaptureIn = (pollMs: number, attempt: number) => Math.min(pollMs * 2 ** Math.min(attempt, 20), HOUR_MS)
