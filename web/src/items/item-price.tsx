import type { Nft } from '@nifty/api/catalog/public'
import { Price } from '../ui/price.tsx'

/** The price, or "Not for sale". */
export function ItemPrice({ item }: { item: Pick<Nft, 'price' | 'forSale' | 'reserved'> }) {
  if (item.forSale && item.price !== null) {
    return (
      <>
        <span className="visually-hidden">Price: </span>
        <Price euros={item.price} />
      </>
    )
  }
  return <span className="item-price__none">Not for sale</span>
}
