import { type Stop, type StopReason, stopDelivery as stopDeliveryEndpoint } from '@nifty/api/minting/internal'
import { tokenOf } from '@nifty/events/shapes'
import { raiseAlarm } from '../../alarms/alarm.store.ts'
import type { Line, Order } from '../../db.ts'
import { releaseLine } from '../line.events.ts'
import { moveInDelivery, reservedLine } from '../line.store.ts'
import { setCancelRequest } from '../order.store.ts'
import { endingOf, linesToStop, stopReason } from '../order.ts'
import { continueNow, retryIn, type StepContext, type StepResult } from '../run-step.ts'
import { isHoldLost } from './check-hold.ts'
import { POLL_FACTOR } from './watch-delivery.ts'

/** While minting's index has not passed the block that shows whether the chain has delivered a line. */
export const PENDING_RETRY_MS = 2_000

/** Whether the chain delivered the token of this line to the wallet of its order, or into custody for its buyer. */
export function isDeliveryOf(
  line: Line,
  { wallet, buyerId }: Order,
  delivered: NonNullable<Stop['delivered']>,
): boolean {
  const { contract, identifier } = reservedLine(line)
  if (delivered.token !== tokenOf(contract, identifier)) return false
  if (wallet === null) return delivered.wallet === null && delivered.keptFor === buyerId
  return delivered.wallet?.toLowerCase() === wallet.toLowerCase()
}

export const requestStop = (
  { minting, order }: Pick<StepContext, 'minting' | 'order'>,
  line: Line,
  reason: StopReason,
): Promise<Stop> =>
  minting(stopDeliveryEndpoint, {
    params: { lineId: line.id },
    body: { orderId: order.id, reason, ...(order.wallet === null ? { keepFor: order.buyerId } : {}) },
  })

/**
 * Requests that minting stops what it still can. Lines without a signed delivery are released here, and those that the
 * chain delivered elsewhere; a line that the chain has delivered is delivered here too. The others wait for the outcome
 * on the chain (`delivery-final` or `delivery-failed`). While an answer is pending or a nonce is being cancelled, the
 * request stays.
 */
export async function stopDelivery(context: StepContext): Promise<StepResult> {
  const { trx, order, lines, config, log } = context
  const reason = stopReason(order, order.now)!
  const late = reason === 'deadline'
  let movedAny = false
  let cancelsAny = false
  for (const line of linesToStop(order, lines, order.now)) {
    const { stopped, cancelling, pending, delivered } = await requestStop(context, line, reason)
    if (pending) {
      if (!late) return retryIn(Math.min(config.pollMs, PENDING_RETRY_MS))
      await noticeLate(context)
      return retryIn(config.pollMs)
    }
    if (cancelling) cancelsAny = true
    if (delivered && isDeliveryOf(line, order, delivered)) {
      await moveInDelivery(trx, line, 'delivered', delivered.txHash)
      movedAny = true
      continue
    }
    if (delivered) {
      const detail = `the chain delivered ${delivered.token} to ${delivered.wallet ?? 'custody'}: the line is released`
      await raiseAlarm(trx, log, { name: 'delivery_contradiction', subject: line.id, orderId: order.id, detail })
    } else if (!stopped) continue
    movedAny = true
    await releaseLine(context, line, { ...endingOf(order, 'deadline'), moneyWasHeld: true })
  }
  // The request is handled: deliveries that are signed and not cancelled continue.
  if (order.cancelRequestedBy && !cancelsAny) await setCancelRequest(trx, order.id, null)
  if (movedAny) return continueNow
  if (late) await noticeLate(context)
  else if (cancelsAny && (await isHoldLost(context))) return continueNow
  return retryIn(config.pollMs * POLL_FACTOR)
}

/** The hold's end is noticed here: a late order does not come to `watch_delivery` any more. */
async function noticeLate(context: StepContext) {
  const { trx, order, log } = context
  const detail = `not delivered by ${order.deliverBy?.toISOString()}; its transaction is cancelled unless a block has it or its key is missing`
  await raiseAlarm(trx, log, { name: 'delivery_late', subject: order.id, orderId: order.id, detail })
  await isHoldLost(context)
}
