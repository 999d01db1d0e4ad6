import { getMarket, type Nft, type NftDetail } from '@nifty/api/catalog/public'
import useSWR from 'swr'
import { request } from '../../api/api.ts'

/** Works per section. */
export const related = 4

type Query = Record<string, string>

/** From most to least alike: category, colour and half to double the price; then without price; then without colour. */
export function similarQueries({ category, colorName, price }: Pick<NftDetail, 'category' | 'colorName' | 'price'>) {
  const color: Query = colorName ? { color: colorName } : {}
  const range: Query = price === null ? {} : { minPrice: amount(price / 2), maxPrice: amount(price * 2) }
  const inCategory = { category, buyOption: 'now' }
  return [{ ...inCategory, ...color, ...range }, { ...inCategory, ...color }, { ...inCategory, ...range }, inCategory]
}

const amount = (euros: number) => String(Math.min(999_999, Math.round(euros)))

/** Works for sale by other artists that are like this one, at most four. */
export function useSimilarWorks(item: NftDetail): Nft[] {
  const { data } = useSWR(`similar ${item._id}`, () => findSimilar(item), {
    revalidateOnFocus: false,
    shouldRetryOnError: false,
  })
  return data ?? []
}

async function findSimilar(item: NftDetail): Promise<Nft[]> {
  const found = new Map<string, Nft>()
  for (const query of similarQueries(item)) {
    const { nfts } = await request(getMarket, { query: { ...query, page: '1', limit: '24' } })
    for (const nft of nfts)
      if (nft._id !== item._id && nft.creatorUsername !== item.creator?.username && found.size < related)
        found.set(nft._id, nft)
    if (found.size === related) break
  }
  return [...found.values()]
}
