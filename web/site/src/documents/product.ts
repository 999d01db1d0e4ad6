import type { NftDetail } from '@nifty/api/catalog/public'
import { itemPath } from '@nifty/api/pages'
import { fullName } from '../share-images/card.ts'

/** An item as schema.org's `Product`; with an `Offer` while it is for sale. `shareImage` is a path. */
export function productOf(
  nft: NftDetail,
  { publicUrl, shareImage }: { publicUrl: string; shareImage: string },
): object {
  const { name, description, image, category, contract, identifier, creator, forSale, price, reserved } = nft
  const url = `${publicUrl}${itemPath(nft)}`
  const state = reserved ? 'LimitedAvailability' : 'InStock'
  const offer = { price: price?.toFixed(2), priceCurrency: 'EUR', availability: `https://schema.org/${state}`, url }
  return {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name,
    description: description || name,
    category,
    url,
    sku: `${contract}/${identifier}`,
    image: [`${publicUrl}${image}?w=1600`, `${publicUrl}${shareImage}`],
    ...(creator && { brand: { '@type': 'Brand', name: fullName(creator) } }),
    ...(forSale && price !== null && { offers: { '@type': 'Offer', ...offer } }),
  }
}
