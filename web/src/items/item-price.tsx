import type { Nft } from '@nifty/api/catalog/public'
import { formatPrice } from '@nifty/api/price'
import { Price } from '../ui/price.tsx'

/** The price; of a work that is not for sale from which price on offers are taken, or the former price, if any. */
export function ItemPrice({ item }: { item: Pick<Nft, 'price' | 'forSale' | 'offers'> }) {
  const price = item.price !== null && (
    <>
      <span className="visually-hidden">Price: </span>
      <Price euros={item.price} />
    </>
  )
  if (item.forSale) return price
  if (item.offers) return `Offers from ${formatPrice(item.offers.minimum)}`
  return (
    <span className="item-price__none">
      {price}
      {price && ' · '}Not for sale
    </span>
  )
}
