import type { NftDetail } from '@nifty/api/catalog/public'
import { formatPrice } from '@nifty/api/price'

type Rejection = {
  /** Of the server. */
  message: string
  /** The work is reserved for an unfinished order of this buyer. */
  isOwnOrder: boolean
  /** No response arrived, and the browser has no connection. */
  isOffline: boolean
}

/** After a rejection, describes the refreshed item; otherwise gives the server's message. */
export function describeRejection(
  item: Pick<NftDetail, 'forSale' | 'reserved' | 'price'>,
  { message, isOwnOrder, isOffline }: Rejection,
): string {
  if (isOffline) return 'You are offline. Please try again once you are connected.'
  if (!item.forSale) return 'This work is no longer for sale.'
  if (item.reserved && !isOwnOrder) return 'Another buyer was faster. Nothing was charged.'
  if (item.price !== null && /price/i.test(message)) return `The price is now ${formatPrice(item.price)}.`
  return message
}
