import type { Order } from '@nifty/api/payments/public'
import { Price } from '../../ui/price.tsx'
import { useAuctionOf } from './use-auction-of.ts'

/** What the bidder would pay if the auction of the bid ended now. */
export function PriceSoFar({ order }: { order: Order }) {
  const { auction, loading } = useAuctionOf(order)
  if (loading) return '\u00a0'
  if (!auction || auction.price === null) return 'Not known yet'
  return <Price euros={auction.price} />
}
