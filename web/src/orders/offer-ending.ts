import type { Order, OrderLine } from '@nifty/api/payments/public'

type Ended = Pick<Order, 'timeline'> & { lines: Pick<OrderLine, 'reason'>[] }

/** Of an offer: `short` for lists, `text` as a sentence. */
const endings: Record<string, { short: string; text: string }> = {
  declined: { short: 'Declined', text: 'The owner declined your offer.' },
  withdrawn: { short: 'Withdrawn', text: 'You withdrew your offer.' },
  expired: { short: 'Not accepted in time', text: 'The owner did not accept your offer in time.' },
  undecided: { short: 'Ended', text: 'Your offer was not decided by its end, because of a fault in our store.' },
  bid_not_found: { short: 'Ended', text: 'Your offer was lost, because of a fault in our store. We are sorry.' },
  sold: { short: 'The work was sold', text: 'The work was sold before your offer was accepted.' },
  on_auction: { short: 'The work is on auction', text: 'The owner put the work up for auction.' },
  moved: { short: 'The work has a new owner', text: 'The work has a new owner, who did not get your offer.' },
  hidden: { short: 'The work is not shown', text: 'The work is no longer shown in the store.' },
  account: { short: 'Ended', text: 'Your offer ended, because an account cannot buy or sell at the moment.' },
  undeliverable: { short: 'Cannot be delivered', text: 'The work cannot be delivered at the moment.' },
  hold_too_short: {
    short: 'Hold too short',
    text: 'Your bank does not hold the amount for as long as the offer would be open. Please choose fewer days or another card.',
  },
  hold_lost: { short: 'Hold ended by your bank', text: 'Your bank ended the hold on your card.' },
  not_held: { short: 'Not paid', text: 'The payment was not made in time.' },
  failed: { short: 'Not delivered', text: 'The work could not be delivered.' },
  operator: { short: 'Ended by the store', text: 'The store ended your offer.' },
  dispute: { short: 'Ended by the store', text: 'The store ended your offer, because a payment of yours is disputed.' },
}
const other = { short: 'Ended', text: 'Your offer has ended.' }
const unpaid = { short: 'Not paid', text: 'You did not pay, so the owner did not get your offer.' }

/** The store's code for why an order ended; undefined where it has none. */
export const whyOf = ({ timeline }: Pick<Order, 'timeline'>) =>
  timeline.findLast(({ state, note }) => state === 'released' && note)?.note ?? undefined

/** The card of an offer or a bid was held before it was decided. */
export const wasHeld = ({ timeline }: Pick<Order, 'timeline'>) => timeline.some(({ state }) => state === 'held')

/** Why an offer ended without a sale: for lists, and as a sentence. */
export function offerEnding(order: Ended): { short: string; text: string } {
  const reason = order.lines[0]?.reason
  if (reason === 'undeliverable') return endings.failed!
  const why = whyOf(order)
  const known = why ? endings[why] : undefined
  if (known) return known
  if (!wasHeld(order)) return reason === 'expired' ? endings.not_held! : unpaid
  return reason === 'cancelled' ? endings.withdrawn! : other
}
