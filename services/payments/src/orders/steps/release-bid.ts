import { withdrawBid } from '@nifty/api/catalog/bids'
import type { CancelRequestedBy } from '../../db.ts'
import { continueNow, type StepContext, type StepResult } from '../run-step.ts'
import { readHold } from './missing-payment.ts'
import { endBid, orEnded, stopBid } from './place-bid.ts'

/**
 * Ends a held offer on request. Of the buyer's own request catalog decides: an offer that was accepted before is
 * delivered, also when its buyer's account was deleted, unless it goes into the custody of that account. All other
 * requests release it, unless its delivery was signed in a time that a restore has lost.
 */
export async function releaseBid(context: StepContext): Promise<StepResult> {
  const { order, catalog } = context
  const by = order.cancelRequestedBy!
  if (by === 'buyer' || (by === 'account' && order.wallet !== null)) {
    const { state, why } = await orEnded(context, catalog(withdrawBid, { params: { orderId: order.id } }))
    if (state === 'won') return { ...continueNow, changes: { cancelRequestedBy: null } }
    if (state !== 'ended' || why === null) throw new Error(`catalog did not end the offer of order ${order.id}`)
    return endBid(context, await readHold(context), why)
  }
  // The request stays: it also stops what is signed.
  const stopped = await stopBid(context, await readHold(context), noteOf(by))
  return { ...stopped, changes: { cancelRequestedBy: by } }
}

/** Why an offer ends, as catalog has it: the suspension is that of the owner's account. */
const noteOf = (by: CancelRequestedBy) => (by === 'suspension' ? 'account' : by)
