import { raiseAlarm } from '../../alarms/alarm.store.ts'
import { formatCents } from '../../alarms/format-cents.ts'
import { classifyError, errorCode, isKeyExpired } from '../../processor/failure.ts'
import type { Hold } from '../../processor/processor.ts'
import { moveLine } from '../line.store.ts'
import { changeOrder } from '../order.store.ts'
import { captureRequest } from '../order.ts'
import { continueNow, done, retryIn, type StepContext, type StepResult } from '../run-step.ts'
import { readHold } from './missing-payment.ts'
import { recordCapture } from './record-capture.ts'

/** Stores the amount to capture, so that it is committed before the call to the processor. */
export async function prepareCapture({ order, lines }: StepContext): Promise<StepResult> {
  return { ...continueNow, changes: captureRequest(lines, order.now) }
}

/** Captures the sum of the delivered lines, once. Every attempt but the first reads the state of the hold before. */
export async function capture(context: StepContext): Promise<StepResult> {
  const { order, processor } = context
  const { id, intentId, captureCents, captureRequestedAt, captureAttempt, failures } = order
  if (failures > 0 || captureAttempt > 1 || isKeyExpired(captureRequestedAt!, order.now)) {
    const hold = await readHold(context)
    if (hold.status !== 'requires_capture') return resolveCapture(context, hold)
  }
  try {
    return await resolveCapture(
      context,
      await processor.capture(intentId!, captureCents!, captureKey(id, captureAttempt)),
    )
  } catch (error) {
    if (classifyError(error) === 'unknown') throw error
    const hold = await readHold(context)
    return hold.status === 'requires_capture'
      ? scheduleCaptureRetry(context, errorCode(error))
      : resolveCapture(context, hold)
  }
}

async function resolveCapture(context: StepContext, hold: Hold): Promise<StepResult> {
  const { trx, order, log } = context
  if (hold.status === 'succeeded' && hold.capturedCents === order.captureCents) {
    await recordCapture(context, order.captureCents)
    const seconds = Math.round((order.now.getTime() - order.authorisedAt!.getTime()) / 1_000)
    return { ...done, captured: { cents: order.captureCents, seconds } }
  }
  if (hold.status === 'canceled') {
    await changeOrder(trx, order.id, { money: 'lapsed' })
    return continueNow
  }
  const detail = `intent ${hold.status}, ${formatCents(hold.capturedCents)} captured, expected ${formatCents(order.captureCents!)}: see \`pnpm ops accept ${order.id}\``
  await raiseAlarm(trx, log, { name: 'unexpected_capture', subject: order.id, orderId: order.id, detail })
  return retryIn(retryCaptureIn(context.config.pollMs, order.captureAttempt))
}

/** The processor repeats a refusal under the same idempotency key, so the next attempt uses a new one. */
async function scheduleCaptureRetry(
  { trx, order, lines, config, log }: StepContext,
  code: string,
): Promise<StepResult> {
  for (const line of lines) if (line.state === 'delivered') await moveLine(trx, line, 'capture_due', { note: code })
  await changeOrder(trx, order.id, { captureAttempt: order.captureAttempt + 1 })
  const detail = `capture of ${formatCents(order.captureCents!)} refused: ${code}`
  await raiseAlarm(trx, log, { name: 'capture_refused', subject: order.id, orderId: order.id, detail })
  return retryIn(retryCaptureIn(config.pollMs, order.captureAttempt))
}

/** Idempotency key of an attempt. */
const captureKey = (orderId: string, attempt: number) =>
  attempt === 1 ? `capture:${orderId}` : `capture:${orderId}:${attempt}`

const HOUR_MS = 3_600_000

/** Exponential backoff up to one hour; a hold is valid for a week. */
const retryCaptureIn = (pollMs: number, attempt: number) => Math.min(pollMs * 2 ** Math.min(attempt, 20), HOUR_MS)
