import { withdrawBid } from '@nifty/api/catalog/bids'
import type { CancelRequestedBy } from '../../db.ts'
import { releaseLines } from '../line.events.ts'
import { continueNow, type StepContext, type StepResult } from '../run-step.ts'
import { orNotFound } from './place-bid.ts'

/**
 * Ends a held offer on request. Of the buyer's own request catalog decides: an offer that was accepted before is
 * delivered, also when its buyer's account was deleted, unless it goes into the custody of that account. All other
 * requests release it.
 */
export async function releaseBid(context: StepContext): Promise<StepResult> {
  const { order, catalog } = context
  const by = order.cancelRequestedBy!
  let note: string = noteOf(by)
  if (by === 'buyer' || (by === 'account' && order.wallet !== null)) {
    const { state, why } = await orNotFound(context, catalog(withdrawBid, { params: { orderId: order.id } }))
    if (state === 'won') return { ...continueNow, changes: { cancelRequestedBy: null } }
    if (state !== 'ended' || why === null) throw new Error(`catalog did not end the offer of order ${order.id}`)
    note = why
  }
  await releaseLines(context, { reason: 'lost', note, moneyWasHeld: true })
  return continueNow
}

/** Why an offer ends, as catalog has it: the suspension is that of the owner's account. */
const noteOf = (by: CancelRequestedBy) => (by === 'suspension' ? 'account' : by)
