import type { Line } from '../../db.ts'
import { classifyError } from '../../processor/failure.ts'
import { abandonLine, releaseLines } from '../line.events.ts'
import { linesOf, moveLine, saveReservedLines } from '../line.store.ts'
import { continueNow, done, retryIn, type StepContext, type StepResult } from '../run-step.ts'
import { readSessionOrder } from '../session-metadata.ts'
import { adoptPayment } from './adopt-payment.ts'
import { authorise } from './authorise.ts'
import { readSession } from './missing-payment.ts'

/**
 * Completes an order that was rebuilt from its session. An unpaid one is closed. While an older order of one of its
 * items is open in the restored database, the step is retried. An offer or a bid whose card is held is held here
 * too: catalog has whether it was accepted or has won.
 */
export async function rebuild(context: StepContext): Promise<StepResult> {
  const { trx, order, processor, config } = context
  const session = await readSession(context)
  if (!session) {
    for (const line of context.lines) await abandonLine(context, line, 'the processor does not have the session')
    return done
  }
  if (session.status === 'open') {
    try {
      await processor.expireSession(session.id)
      return continueNow
    } catch (error) {
      if (classifyError(error) !== 'refused') throw error
      return retryIn(config.pollMs)
    }
  }
  const lost = readSessionOrder(session, context)
  if (!lost) return retryIn(config.pollMs)
  const reserved = lost.lines.map((line) => ({ ...line, sellerUsername: null }))
  if (!(await saveReservedLines(trx, order.id, reserved))) return retryIn(config.pollMs)
  const rebuilt = { ...context, lines: await linesOf(trx, order.id) }
  if (order.orderKind !== 'purchase' && session.hold?.status === 'requires_capture')
    return authorise({ ...context, lines: await opened(rebuilt) }, session, session.hold)
  if (session.status === 'complete') return adoptPayment(rebuilt, session)
  await releaseLines(rebuilt, { reason: 'expired', note: 'restored' })
  return done
}

/** Its lines as they were while its page was open. */
const opened = async ({ trx, lines }: Pick<StepContext, 'trx' | 'lines'>): Promise<Line[]> =>
  Promise.all(lines.map((line) => (line.state === 'placed' ? moveLine(trx, line, 'awaiting_payment') : line)))
