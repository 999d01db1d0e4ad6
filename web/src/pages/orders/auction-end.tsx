import type { Order } from '@nifty/api/payments/public'
import { Time } from '../../ui/time.tsx'
import { useAuctionOf } from './use-auction-of.ts'

/** When the auction of a leading bid ends; late bids move it. */
export function AuctionEnd({ order }: { order: Order }) {
  const { auction } = useAuctionOf(order)
  return (
    <>
      If your bid leads when the auction ends
      {auction?.endsAt && (
        <>
          , <Time at={auction.endsAt} as="recent" />
        </>
      )}
      .
    </>
  )
}
