import type { BidState } from '@nifty/api/catalog/bids'
import type { OutboxEvent } from '@nifty/service-kit/messaging/outbox'
import { isBlocked } from '../accounts/account.ts'
import { bidLeadsEvent, bidOutcomeEvent, firstBidEvent } from '../auctions/auction.events.ts'
import {
  bidStateOf,
  clockFrom,
  endAfterBid,
  isHoldTooShort,
  isLateByUs,
  lateWhy,
  standingOf,
  takesHeldBids,
} from '../auctions/auction.ts'
import { minimumFor, place, type Standing } from '../auctions/price-rule.ts'
import type { Account, Bid } from '../db.ts'
import type { LockedAuction } from './auction-lock.ts'

export type Hold = {
  /** When the card's bank ends it; null: not reported. */
  captureBefore: Date | null
  /** When the card's bank confirmed it, as far as it is reported. */
  heldAt: Date | null
}

/** Bids of one auction that are decided one after the other: the auction as it is after them, and what to save. */
export type Decisions = LockedAuction & {
  /** By order: those to decide, those that began or lead, and the last one that stood; the earliest first. */
  bids: Map<string, Bid>
  /** The orders of the bids that have changed. */
  changed: Set<string>
  events: OutboxEvent[]
  /** That a bid leads after them; one that a later decision ended is not published as leading. */
  leads: OutboxEvent | undefined
}

export const newDecisions = (locked: LockedAuction, bids: Bid[]): Decisions => ({
  ...locked,
  bids: new Map(bids.map((bid) => [bid.orderId, bid])),
  changed: new Set(),
  events: [],
  leads: undefined,
})

/**
 * Decides a bid whose card is held, and adds the decision. `bidder`: if the bid has only begun. Undefined: there is no
 * such bid.
 */
export function decideBid(
  decisions: Decisions,
  { orderId, hold, bidder }: { orderId: string; hold: Hold; bidder: Account | undefined },
): BidState | undefined {
  const bid = decisions.bids.get(orderId)
  if (!bid) return undefined
  const { auction } = decisions
  if (bid.state !== 'started') return bidStateOf(endLateByUs(decisions, bid, hold), auction)
  const why = bidder && isBlocked(bidder) ? 'account' : refusalOf(decisions, hold)
  return why ? bidStateOf(end(decisions, bid, why), auction) : stand(decisions, bid)
}

/** Why a bid whose card is held does not stand, whatever its limit and its bidder. */
function refusalOf({ auction, now }: LockedAuction, hold: Hold) {
  if (!takesHeldBids(auction, now)) return lateWhy(auction, hold.heldAt)
  return isHoldTooShort(hold.captureBefore, auction, now) ? 'hold_too_short' : undefined
}

const endLateByUs = (decisions: Decisions, bid: Bid, { heldAt }: Hold) =>
  isLateByUs(decisions.auction, bid, heldAt) ? end(decisions, bid, 'late_by_us') : bid

function stand(decisions: Decisions, bid: Bid): BidState {
  const { auction, now } = decisions
  const leader = leaderOf(decisions)
  const { verdict, after } = place(standingOf(auction, leader), bid)
  if (verdict === 'too_low') return bidStateOf(end(decisions, bid, 'too_low'), auction)
  if (verdict === 'raised') return raise(decisions, bid, leader!)

  const priceCents = after.priceCents
  const clock = auction.endsAt === null ? clockFrom(now, auction.hours) : { endsAt: endAfterBid(auction, now) }
  const leads = verdict === 'leads'
  const stoodAt = nextStoodAt(decisions)
  const stood: Bid = { ...bid, stoodAt, placedAt: stoodAt, priceCents }
  decisions.auction = { ...auction, ...clock, priceCents, bids: auction.bids + 1 }
  let result: Bid
  if (leads) {
    decisions.auction.leaderOrder = bid.orderId
    if (leader) end(decisions, leader, 'outbid')
    result = save(decisions, { ...stood, state: 'leading' })
    decisions.leads = bidLeadsEvent({ ...decisions, bid: result }, now)
  } else result = end(decisions, stood, 'outbid')
  endBidsBelow(decisions, after)
  if (auction.bids === 0) decisions.events.push(firstBidEvent(decisions, now))
  return bidStateOf(result, decisions.auction)
}

const leaderOf = ({ auction, bids }: Decisions) =>
  auction.leaderOrder === null ? undefined : bids.get(auction.leaderOrder)

/** Now, but after the last bid that stood: the public history is in the order of the decisions. */
function nextStoodAt({ bids, now }: Decisions): Date {
  const last = Math.max(...[...bids.values()].map(({ stoodAt }) => stoodAt?.getTime() ?? 0))
  return new Date(Math.max(now.getTime(), last + 1))
}

/** The leader names more: nothing visible changes, so the new bid takes the entry of the former one in the history. */
function raise(decisions: Decisions, bid: Bid, former: Bid): BidState {
  const { now } = decisions
  const { stoodAt, priceCents } = former
  decisions.auction = { ...decisions.auction, leaderOrder: bid.orderId }
  end(decisions, { ...former, stoodAt: null, priceCents: null }, 'raised')
  const leading = save(decisions, { ...bid, state: 'leading', stoodAt, placedAt: now, priceCents })
  decisions.leads = bidLeadsEvent({ ...decisions, bid: leading }, now)
  endBidsBelow(decisions, standingOf(decisions.auction, leading))
  return bidStateOf(leading, decisions.auction)
}

/** Ends those of the other bids that began which are too low by now, before cards are held for them. */
function endBidsBelow(decisions: Decisions, standing: Standing) {
  for (const bid of decisions.bids.values())
    if (bid.state === 'started' && bid.limitCents < minimumFor(standing, bid.bidderId))
      end(decisions, bid, 'too_low', { wasHeld: false })
}

function save(decisions: Decisions, bid: Bid): Bid {
  decisions.bids.set(bid.orderId, bid)
  decisions.changed.add(bid.orderId)
  return bid
}

function end(decisions: Decisions, bid: Bid, why: string, { wasHeld } = { wasHeld: true }): Bid {
  const { item, auction, now } = decisions
  decisions.events.push(bidOutcomeEvent({ item, auction, bid }, { outcome: 'lost', why, wasHeld, at: now }))
  return save(decisions, { ...bid, state: 'ended', why })
}
