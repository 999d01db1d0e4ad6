import type { Order, OrderLine } from '@nifty/api/payments/public'
import { offerEnding, wasHeld, whyOf } from './offer-ending.ts'

type Ended = Partial<Pick<Order, 'kind'>> & Pick<Order, 'timeline'> & { lines: Pick<OrderLine, 'reason'>[] }
type Ending = { short: string; text: string }

/** Of a bid: `short` for lists, `text` as a sentence. */
const endings: Record<string, Ending> = {
  outbid: { short: 'Outbid', text: 'You were outbid.' },
  raised: { short: 'Raised', text: 'You raised your bid: a later one took its place.' },
  too_low: { short: 'Too low', text: 'Another bid stood before yours was paid, and yours was below the least bid.' },
  too_late: { short: 'Too late', text: 'Your bank confirmed your bid after the auction was over.' },
  late_by_us: {
    short: 'Too late',
    text: 'Your bank confirmed your bid in time, but a fault in our store kept it from being counted. We are sorry.',
  },
  hold_too_short: {
    short: 'Hold too short',
    text: 'Your bank does not hold the amount until the auction is over. Please choose another card.',
  },
  hold_lost: { short: 'Hold ended by your bank', text: 'Your bank ended the hold on your card.' },
  not_held: { short: 'Not paid', text: 'The payment was not made in time.' },
  cancelled: { short: 'Auction cancelled', text: 'The owner cancelled the auction before your bid stood.' },
  withdrawn: { short: 'Cancelled', text: 'You cancelled your bid.' },
  void: { short: 'Auction ended', text: 'The auction ended without a sale.' },
  account: { short: 'Ended', text: 'Your bid ended, because your account cannot buy at the moment.' },
  failed: { short: 'Not delivered', text: 'You won, but the work could not be delivered.' },
  undecided: { short: 'Ended', text: 'The auction was not decided in time, because of a fault in our store.' },
  bid_not_found: { short: 'Ended', text: 'Your bid was lost, because of a fault in our store. We are sorry.' },
  operator: { short: 'Ended by the store', text: 'The store ended your bid.' },
  dispute: { short: 'Ended by the store', text: 'The store ended your bid, because a payment of yours is disputed.' },
}
const other = { short: 'Ended', text: 'Your bid has ended.' }
const unpaid = { short: 'Not paid', text: 'You did not pay, so your bid did not count.' }

/** Why a bid ended. */
function bidEnding(order: Ended): Ending {
  if (order.lines[0]?.reason === 'undeliverable') return endings.failed!
  const why = whyOf(order)
  const known = why ? endings[why] : undefined
  if (known) return known
  if (wasHeld(order)) return other
  return order.lines[0]?.reason === 'expired' ? endings.not_held! : unpaid
}

/** Why an offer or a bid ended without a sale. */
export const endingOf = (order: Ended): Ending => (order.kind === 'bid' ? bidEnding(order) : offerEnding(order))
