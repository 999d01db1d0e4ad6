/** Why offers, bids and auctions ended, in words for operators, by the codes of catalog and payments. */

const ofBoth: Record<string, string> = {
  hold_too_short: 'its bank does not hold the card for long enough',
  not_held: 'its payment page was not paid',
  hold_lost: 'its hold ended at the bank or the card processor',
  operator: 'by an operator',
  dispute: 'a bank contests its payment',
  buyer: 'by its buyer',
  seller: 'over before it was paid',
  declines: 'too many declined cards',
  undecided: 'not decided in time: a fault of the store',
  bid_not_found: 'catalog did not have it: a fault of the store',
  account: 'an account may not trade',
  undeliverable: 'the work cannot be delivered',
}

const ofOffers: Record<string, string> = {
  ...ofBoth,
  declined: 'declined by the owner',
  withdrawn: 'withdrawn by its buyer',
  expired: 'not accepted in time',
  sold: 'the work was sold to somebody else',
  moved: 'the work has left the owner',
  hidden: 'the work was hidden',
  on_auction: 'the work went on auction',
  delivered: 'the work has arrived',
  failed: 'accepted, then not delivered or its hold lost',
}

const ofBids: Record<string, string> = {
  ...ofBoth,
  outbid: 'outbid',
  raised: 'its bidder raised it: a higher one took its place',
  too_low: 'below the least bid once its card was held',
  too_late: 'its card was held after the end',
  late_by_us: 'its card was held in time and counted too late: a fault of the store',
  cancelled: 'its seller cancelled the auction',
  withdrawn: 'withdrawn by its bidder before it stood',
  void: 'the auction became void',
  failed: 'it had won, then was not delivered or its hold lost',
}

const ofAuctions: Record<string, string> = {
  ...ofBoth,
  moved: 'the work has left the seller',
  hidden: 'the work was hidden',
  account: 'the seller may not sell',
  cancelled: 'the order of the winner was cancelled',
  expired: 'the order of the winner was not paid',
}

const words = { offer: ofOffers, bid: ofBids, auction: ofAuctions }

/** A code of a newer release is shown as it is. */
export const endingWords = (of: keyof typeof words, why: string): string =>
  (Object.hasOwn(words[of], why) ? words[of][why] : undefined) ?? why.replaceAll('_', ' ')
