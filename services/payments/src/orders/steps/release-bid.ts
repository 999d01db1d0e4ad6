import { withdrawBid } from '@nifty/api/catalog/bids'
import type { CancelRequestedBy, Order } from '../../db.ts'
import { continueNow, type StepContext, type StepResult } from '../run-step.ts'
import { readHold } from './missing-payment.ts'
import { endBid, orEnded, stopBid } from './place-bid.ts'

/**
 * Ends a held offer or bid on request. Of the buyer's own request catalog decides: an offer that was accepted before,
 * or a bid that has won, is delivered, also when its buyer's account was deleted, unless it goes into the custody of
 * that account. A bid that leads is binding. All other requests release it, unless its delivery was signed in a time
 * that a restore has lost.
 */
export async function releaseBid(context: StepContext): Promise<StepResult> {
  const { order, catalog } = context
  const by = order.cancelRequestedBy!
  if (by === 'buyer' || (by === 'account' && order.wallet !== null)) {
    const { state, why } = await orEnded(context, catalog(withdrawBid, { params: { orderId: order.id } }))
    if (state === 'won' || (state === 'open' && by === 'buyer'))
      return { ...continueNow, changes: { cancelRequestedBy: null } }
    if (state === 'ended') return endBid(context, await readHold(context), why ?? 'ended')
  }
  // The request stays: it also stops what is signed.
  const stopped = await stopBid(context, await readHold(context), noteOf(by, order))
  return { ...stopped, changes: { cancelRequestedBy: by } }
}

/** Why it ends, as catalog has it: the suspension is that of the owner's account. A bid ends so after it has won. */
const noteOf = (by: CancelRequestedBy, { orderKind }: Order) => {
  if (by !== 'suspension') return by
  return orderKind === 'bid' ? 'failed' : 'account'
}
