import { BANKS_HAVE_MS, EXTENDED_BY_MS } from '@nifty/api/auction-limits'
import type { BidState } from '@nifty/api/catalog/bids'
import type { Auction, Bid } from '../db.ts'
import type { Standing } from './price-rule.ts'

const HOUR_MS = 3_600_000

/** By how much late bids, outages and lost holds together move the end at most. */
const EXTENDED_AT_MOST_MS = 24 * HOUR_MS
/** From the latest end on: a day for the delivery, and an hour for the capture. */
const HOLD_LASTS_LONGER_MS = 25 * HOUR_MS
/** An auction whose leader was lost runs for this long at least. */
const OPEN_AFTER_LOSS_MS = HOUR_MS
/** A bid whose card is not held within this time ends. */
const HELD_WITHIN_MS = HOUR_MS
/** Payments reads a hold by an event of the processor, else every 10 s: within six such readings it has reported it. */
const REPORTED_WITHIN_MS = 60_000
/** The worker stores that it runs more often than that. */
const OUTAGE_MS = 60_000

/** Why an auction is void. */
export type AuctionEnd = 'moved' | 'hidden' | 'account' | 'undeliverable' | 'operator'

type Ends = Pick<Auction, 'endsAt' | 'latestEndAt'>
const later = (time: Date, ms: number) => new Date(time.getTime() + ms)
const earliest = (...times: Date[]) => new Date(Math.min(...times.map((time) => time.getTime())))
const latest = (...times: Date[]) => new Date(Math.max(...times.map((time) => time.getTime())))

/** The first and the latest end of an auction whose clock starts at `start`. */
export function clockFrom(start: Date, hours: number) {
  const endsAt = later(start, hours * HOUR_MS)
  return { endsAt, latestEndAt: later(endsAt, EXTENDED_AT_MOST_MS) }
}

/** Moves the end on, so that it is no earlier than `until`. Never beyond the latest end. */
const endNoEarlierThan = ({ endsAt, latestEndAt }: Ends, until: Date) => earliest(latest(endsAt!, until), latestEndAt!)

/** The end after a bid took the lead or raised the price: at least 15 minutes from now. */
export const endAfterBid = (auction: Ends, now: Date) => endNoEarlierThan(auction, later(now, EXTENDED_BY_MS))

/** The end after the leader was lost: at least an hour from now. */
export const endAfterLoss = (auction: Ends, now: Date) => endNoEarlierThan(auction, later(now, OPEN_AFTER_LOSS_MS))

export const isOutage = (seenAt: Date, now: Date) => now.getTime() - seenAt.getTime() > OUTAGE_MS

/**
 * The end after the store did not run since `seenAt`: an end within that time, or less than 15 minutes after it, moves
 * to 15 minutes from now.
 */
export const endAfterOutage = (auction: Ends, { seenAt, now }: { seenAt: Date; now: Date }) =>
  auction.endsAt !== null && isOutage(seenAt, now) && auction.endsAt > seenAt
    ? endAfterBid(auction, now)
    : auction.endsAt

/** Whether bids can begin. */
export const isRunning = ({ state, startsAt, endsAt }: Auction, now: Date) =>
  state === 'open' && (startsAt === null || startsAt <= now) && (endsAt === null || now < endsAt)

/** Until when a bank can confirm a bid that began before the end; null: no end yet. */
const graceEndOf = ({ endsAt }: Pick<Auction, 'endsAt'>) => endsAt && later(endsAt, BANKS_HAVE_MS)

/** Whether bids can still stand that began before the end. */
export const takesHeldBids = (auction: Auction, now: Date) => {
  const graceEnd = graceEndOf(auction)
  return auction.state === 'open' && (graceEnd === null || now <= graceEnd)
}

/**
 * Why a bid ends that could not stand in time: by us, if its bank had confirmed it so long before the grace was over
 * that payments had time to report it. A later confirmation is too late without a fault of the store.
 */
export function lateWhy(auction: Pick<Auction, 'endsAt'>, heldAt: Date | null) {
  const graceEnd = graceEndOf(auction)
  if (heldAt === null || graceEnd === null) return 'too_late'
  return heldAt <= later(graceEnd, -REPORTED_WITHIN_MS) ? 'late_by_us' : 'too_late'
}

/** Whether a bid has ended only because the store was late: its bank had confirmed it in time. */
export function isLateByUs(auction: Pick<Auction, 'endsAt'>, { why, startedAt }: Bid, heldAt: Date | null): boolean {
  if (why === 'too_late') return lateWhy(auction, heldAt) === 'late_by_us'
  return why === 'not_held' && heldAt !== null && heldAt <= later(startedAt, HELD_WITHIN_MS)
}

/** Whether its end has come, and no bid that began before it is waited for. */
export const isDecidable = (auction: Auction, { now, hasStarted }: { now: Date; hasStarted: boolean }) =>
  auction.state === 'open' &&
  auction.endsAt !== null &&
  auction.endsAt <= now &&
  (!hasStarted || !takesHeldBids(auction, now))

/** The latest end; of an auction whose clock waits, as if the first bid stood now. */
const latestEndOf = ({ latestEndAt, hours }: Pick<Auction, 'latestEndAt' | 'hours'>, now: Date) =>
  latestEndAt ?? clockFrom(now, hours).latestEndAt

/**
 * Whether a card that is held until `captureBefore` may be given back before the delivery to a winner. Null: the
 * processor does not report it.
 */
export const isHoldTooShort = (captureBefore: Date | null, auction: Auction, now: Date) =>
  captureBefore === null || captureBefore < later(latestEndOf(auction, now), HOLD_LASTS_LONGER_MS)

/**
 * Until when a permit has to be valid that delivers to the winner, with an hour more than a hold lasts at least. While
 * the clock waits, for a bid that starts it as late as it can: so no later bid needs a longer permit.
 */
export const deliverableUntil = (auction: Pick<Auction, 'latestEndAt' | 'hours'>, now: Date) =>
  later(latestEndOf(auction, later(now, HELD_WITHIN_MS)), HOLD_LASTS_LONGER_MS + HOUR_MS)

export const standingOf = (auction: Auction, leader: Bid | undefined): Standing => ({
  openingCents: auction.openingCents,
  priceCents: auction.priceCents ?? auction.openingCents,
  leader: leader ? { bidderId: leader.bidderId, limitCents: leader.limitCents } : null,
})

/** The state that payments reads. `auction`: of the bid. */
export function bidStateOf(
  { state, why, auctionId }: Bid,
  { priceCents, endsAt }: Pick<Auction, 'priceCents' | 'endsAt'>,
): BidState {
  if (state === 'won') return { state, priceCents, why: null, decideBy: null, auctionId }
  if (state === 'ended') return { state, priceCents: null, why, decideBy: null, auctionId }
  const ends = state === 'leading' && endsAt !== null ? { endsAt: endsAt.toISOString() } : {}
  return { state: 'open', priceCents: null, why: null, decideBy: null, auctionId, ...ends }
}
