import type { NftDetail } from '@nifty/api/catalog/public'
import { useEffect, useState } from 'react'
import { isShown } from '../../auctions/auction-state.ts'
import { useOffers } from '../../orders/use-orders.ts'
import { lazyComponent } from '../../ui/lazy-component.tsx'

export const ItemAuction = lazyComponent(() => import('./item-auction.tsx'), 'ItemAuction')

/** The page of the work shows its auction. */
export const hasAuction = ({ auction }: Pick<NftDetail, 'auction'>) => Boolean(auction && isShown(auction, Date.now()))

/**
 * Loads the code of the auction of a work, and the own bids. Returns whether the page can be shown, so that nothing
 * shifts afterwards. A page that is shown stays when an auction of its work begins.
 */
export function useAuctionParts(item: NftDetail | undefined): boolean {
  const isNeeded = item !== undefined && hasAuction(item)
  const { loading } = useOffers({ enabled: isNeeded })
  const [isTried, setTried] = useState(false)
  useEffect(() => {
    const done = () => setTried(true)
    if (isNeeded) ItemAuction.load().then(done, done)
  }, [isNeeded])
  const [shown, setShown] = useState<string>()
  const isReady = !isNeeded || (isTried && !loading) || shown === item._id
  if (isReady && shown !== item?._id) setShown(item?._id)
  return isReady
}
