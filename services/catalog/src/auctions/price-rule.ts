/** The price of an auction in which each bidder names the most that they would pay. Amounts are integer cents. */

export type Leader = { bidderId: string; limitCents: number }
/** `priceCents`: what the leader would pay now; without one it has no meaning. */
export type Standing = { openingCents: number; priceCents: number; leader: Leader | null }
export type Verdict = 'leads' | 'raised' | 'outbid' | 'too_low'

const EURO = 100

/** One step: 5 % of an amount, rounded up to whole euros, at least one. The step is rounded, not the sum. */
export const stepOf = (cents: number) => Math.max(EURO, Math.ceil(cents / 20 / EURO) * EURO)

/** The least that a new bid names. */
export const minimumOf = ({ openingCents, priceCents, leader }: Standing) =>
  leader ? priceCents + stepOf(priceCents) : openingCents

/** The least that a bid of this account names: of the leader, more than before. */
export const minimumFor = (now: Standing, bidderId: string) =>
  now.leader?.bidderId === bidderId ? now.leader.limitCents + 1 : minimumOf(now)

/** What becomes of a bid whose card is held. Of equal limits the earlier one leads. */
export function place(now: Standing, bid: Leader): { verdict: Verdict; after: Standing } {
  const { leader } = now
  if (bid.limitCents < minimumFor(now, bid.bidderId)) return { verdict: 'too_low', after: now }
  if (!leader) return { verdict: 'leads', after: { ...now, leader: bid, priceCents: now.openingCents } }
  if (leader.bidderId === bid.bidderId) return { verdict: 'raised', after: { ...now, leader: bid } }
  if (bid.limitCents <= leader.limitCents) {
    const priceCents = Math.min(leader.limitCents, bid.limitCents + stepOf(bid.limitCents))
    return { verdict: 'outbid', after: { ...now, priceCents } }
  }
  const priceCents = Math.min(bid.limitCents, leader.limitCents + stepOf(leader.limitCents))
  return { verdict: 'leads', after: { ...now, leader: bid, priceCents } }
}

const UNUSUAL_TIMES = 10

/** Whether an amount is so far above the price that its bidder has to confirm it. */
export const isUnusualLimit = (limitCents: number, { openingCents, priceCents, leader }: Standing) =>
  limitCents > UNUSUAL_TIMES * (leader ? priceCents : openingCents)
