/** Without imports, because browsers load it. */

/** For how many hours an auction runs, without late bids. A hold of 7 days lasts longer than all of it. */
export const auctionHours = { min: 1, max: 72 } as const

/** How far ahead a start can be announced, days. */
export const AUCTION_STARTS_WITHIN_DAYS = 30

/** A bid less than this before the end moves the end to this long after it, ms. */
export const EXTENDED_BY_MS = 15 * 60_000

/** How long after the end banks can confirm bids that began before it, ms. */
export const BANKS_HAVE_MS = 3 * 60_000

/**
 * How much longer than the hours of the auction the permit of a work in a wallet lasts when the bid begins that starts
 * the clock, ms: an hour until the card is held, a day of late bids, 26 hours for the delivery and the capture.
 */
export const PERMIT_LASTS_LONGER_MS = 51 * 3_600_000

/** At most this many bids of an auction are listed, the newest ones. */
export const MAX_BIDS = 200
