import type { NftDetail } from '@nifty/api/catalog/public'
import { useEffect, useState } from 'react'
import { useConfig } from '../../api/use-config.ts'
import { isShown } from '../../auctions/auction-state.ts'
import { isOfferFor } from '../../orders/order.ts'
import { useOffers } from '../../orders/use-orders.ts'
import { type LazyComponent, lazyComponent } from '../../ui/lazy-component.tsx'

export const ItemAuction = lazyComponent(() => import('./item-auction.tsx'), 'ItemAuction')
export const OwnOffer = lazyComponent(() => import('./own-offer.tsx'), 'OwnOffer')

/** How long a page waits, in milliseconds: the work is of another service than the offers and bids. */
const WAIT_MS = 3_000

/** The page of the work shows its auction. */
export const hasAuction = ({ auction }: Pick<NftDetail, 'auction'>) => Boolean(auction && isShown(auction, Date.now()))

/**
 * Loads the own offers and bids, and the code of what the page shows of them and of an auction. Returns whether the
 * page can be shown, so that nothing shifts afterwards. One that is shown stays when an auction of its work begins.
 */
export function useItemParts(item: NftDetail | undefined): boolean {
  const { offers } = useConfig()
  const needsAuction = item !== undefined && hasAuction(item)
  const { orders, loading } = useOffers({ enabled: needsAuction || offers !== false })
  const hasOffer = item !== undefined && orders.some((order) => isOfferFor(order, item._id))
  const isTried = [useCode(ItemAuction, needsAuction), useCode(OwnOffer, hasOffer)].every(Boolean)
  const [shown, setShown] = useState<string>()
  useEffect(() => {
    const timer = setTimeout(() => setShown(item?._id), WAIT_MS)
    return () => clearTimeout(timer)
  }, [item?._id])
  const isReady = (isTried && !loading) || shown === item?._id
  if (isReady && shown !== item?._id) setShown(item?._id)
  return isReady
}

/** Whether the code of a component was loaded, or failed to load, if it is needed. */
function useCode({ load }: Pick<LazyComponent, 'load'>, isNeeded: boolean): boolean {
  const [isTried, setTried] = useState(false)
  useEffect(() => {
    const done = () => setTried(true)
    if (isNeeded) load().then(done, done)
  }, [isNeeded, load])
  return isTried || !isNeeded
}
