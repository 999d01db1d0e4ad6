import type { Order, OrderLine } from '@nifty/api/payments/public'
import { itemUrl } from '../../api/paths.ts'
import { LinkButton } from '../../ui/button.tsx'
import { useAuctionOf } from './use-auction-of.ts'

/** To the work of a bid that ended, where its bidder can bid again while the auction runs. */
export function AuctionLink({ order, line }: { order: Order; line: OrderLine }) {
  const { auction } = useAuctionOf(order)
  return (
    <LinkButton variant="secondary" to={itemUrl({ ...line, ownerUsername: line.sellerUsername })}>
      {auction?.outcome === null ? 'See the auction' : 'See the work'}
    </LinkButton>
  )
}
