import type { Order } from '@nifty/api/payments/public'
import { useItem } from '../../items/use-item.ts'

/** The auction of a bid, polled while the page is open; undefined before the response, or when it is not the work's. */
export function useAuctionOf({ auctionId, lines }: Pick<Order, 'auctionId' | 'lines'>) {
  const { sellerUsername, contract = '', identifier = '' } = lines[0] ?? {}
  const { item, loading } = useItem({ username: sellerUsername || 'unknown', contract, identifier })
  return { auction: item?.auction?._id === auctionId ? item.auction : undefined, loading }
}
