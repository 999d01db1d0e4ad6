import type { Auction as AuctionView } from '@nifty/api/catalog/public'
import { toEuros } from '@nifty/api/shapes'
import type { Auction } from '../db.ts'
import { minimumOf } from './price-rule.ts'

/** The public fields of an auction: no names, no maxima. */
export type PublicAuction = Pick<
  Auction,
  'id' | 'openingCents' | 'hours' | 'startsAt' | 'endsAt' | 'priceCents' | 'bids' | 'state' | 'why' | 'endedAt'
>

/** An auction as visitors see it. Nothing in it changes by time alone, because it is cached. */
export function viewAuction(auction: PublicAuction): AuctionView {
  const { id, openingCents, hours, startsAt, endsAt, priceCents, bids, state, why, endedAt } = auction
  // The rule depends on whether a bid leads, not on which.
  const leader = priceCents === null ? null : { bidderId: '', limitCents: priceCents }
  const minimumCents = minimumOf({ openingCents, priceCents: priceCents ?? openingCents, leader })
  return {
    _id: id,
    opening: toEuros(openingCents),
    hours,
    startsAt: startsAt?.toISOString() ?? null,
    endsAt: endsAt?.toISOString() ?? null,
    price: priceCents === null ? null : toEuros(priceCents),
    bids,
    minimum: toEuros(minimumCents),
    outcome: state === 'open' ? null : state,
    why,
    ...(endedAt && { endedAt: endedAt.toISOString() }),
  }
}
