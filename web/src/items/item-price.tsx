import type { Nft } from '@nifty/api/catalog/public'
import { Price } from '../ui/price.tsx'

/** The price, and "Not for sale" beside the former one, if there is one. */
export function ItemPrice({ item }: { item: Pick<Nft, 'price' | 'forSale'> }) {
  const price = item.price !== null && (
    <>
      <span className="visually-hidden">Price: </span>
      <Price euros={item.price} />
    </>
  )
  if (item.forSale) return price
  return (
    <span className="item-price__none">
      {price}
      {price && ' · '}Not for sale
    </span>
  )
}
