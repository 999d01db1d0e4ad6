import type { Nft } from '@nifty/api/catalog/public'
import { formatPrice } from '@nifty/api/price'
import { useEffect, useState } from 'react'
import { useConfig } from '../api/use-config.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { LazyPart } from '../ui/lazy-part.tsx'
import { Price } from '../ui/price.tsx'

// Not in the first chunk: until it is loaded, the price of the auction is shown.
const AuctionPrice = lazyComponent(() => import('../auctions/auction-price.tsx'), 'AuctionPrice')

let isTried = false

/**
 * Loads it with the works. Returns whether these can be shown: with the prices of auctions their captions are higher.
 * Where the load fails, a card loads it again.
 */
export function useAuctionPrices(items: readonly object[]): boolean {
  const { auctions } = useConfig()
  const has = items.some((item) => (item as Partial<Nft>).auction)
  const [tried, setTried] = useState(isTried)
  const isNeeded = (has || auctions) && !tried
  useEffect(() => {
    const done = () => {
      isTried = true
      setTried(true)
    }
    if (isNeeded) AuctionPrice.load().then(done, done)
  }, [isNeeded])
  return tried || !has
}

/**
 * The price; of a work on auction the bid and the time left; of a work that is not for sale from which price on offers
 * are taken, or the former price, if any.
 */
export function ItemPrice({ item }: { item: Pick<Nft, 'price' | 'forSale' | 'offers' | 'auction'> }) {
  const price = item.price !== null && (
    <>
      <span className="visually-hidden">Price: </span>
      <Price euros={item.price} />
    </>
  )
  if (item.forSale) return price
  if (item.auction)
    return (
      <LazyPart at={item.auction._id} fallback={price}>
        <AuctionPrice auction={item.auction} />
      </LazyPart>
    )
  if (item.offers) return `Offers from ${formatPrice(item.offers.minimum)}`
  return (
    <span className="item-price__none">
      {price}
      {price && ' · '}Not for sale
    </span>
  )
}
