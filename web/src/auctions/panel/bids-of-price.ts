import { MAX_BIDS } from '@nifty/api/auction-limits'
import type { AuctionBid } from '@nifty/api/catalog/auctions'
import type { Auction } from '@nifty/api/catalog/public'

type Listed = { bids: AuctionBid[]; leader: number | null }

/**
 * The bids that made the price of an auction, of a list that was fetched apart. `leads`: the leader after the newest of
 * them leads now. `differs`: the list is `newer` or `older` than the auction.
 */
export function bidsOfPrice(
  listed: Listed | undefined,
  { bids, price }: Pick<Auction, 'bids' | 'price'>,
): { entries: AuctionBid[]; leads: boolean; differs?: 'newer' | 'older' } {
  if (!listed) return { entries: [], leads: false }
  const behind = listed.bids.length < MAX_BIDS ? listed.bids.length - bids : 0
  const entries = listed.bids.slice(Math.max(0, behind))
  if (behind < 0) return { entries, leads: false, differs: 'older' }
  // A raise changes nothing that is shown; the price of an auction that has lost its leader is null.
  const isSame = behind === 0 && (price === null ? listed.leader === null : entries[0]?.price === price)
  if (!isSame) return { entries, leads: false, differs: 'newer' }
  return { entries, leads: price !== null }
}
