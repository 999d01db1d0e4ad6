import { classifyError } from '../../processor/failure.ts'
import { releaseLines } from '../line.events.ts'
import { saveReservedLine } from '../line.store.ts'
import { continueNow, done, retryIn, type StepContext, type StepResult } from '../run-step.ts'
import { readSessionOrder } from '../session-metadata.ts'
import { adoptPayment } from './adopt-payment.ts'

/**
 * Completes an order that was rebuilt from its session. An unpaid one is closed. The unique index `line_live` refuses the
 * item while an older order of it is open in the restored database: the step is then retried.
 */
export async function rebuild(context: StepContext): Promise<StepResult> {
  const { trx, order, processor, config } = context
  const session = await processor.session(order.sessionId!)
  if (session.status === 'open') {
    try {
      await processor.expireSession(session.id)
      return continueNow
    } catch (error) {
      if (classifyError(error) !== 'refused') throw error
      return retryIn(config.pollMs)
    }
  }
  const lost = readSessionOrder(session, config.publicUrl)
  if (!lost) return retryIn(config.pollMs)
  const reservedById = new Map(lost.lines.map((line) => [line.lineId, { ...line, sellerUsername: null }]))
  const lines = []
  for (const line of context.lines) lines.push(await saveReservedLine(trx, line, reservedById.get(line.id)!))
  const rebuilt = { ...context, lines }
  if (session.status === 'complete') return adoptPayment(rebuilt, session)
  await releaseLines(rebuilt, { reason: 'expired', note: 'restored' })
  return done
}
