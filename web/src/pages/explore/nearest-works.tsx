import { getMarket, type Nft } from '@nifty/api/catalog/public'
import { endpointUrl } from '@nifty/api/endpoint'
import useSWR from 'swr'
import { request } from '../../api/api.ts'
import { ItemGrid, itemsPerPage } from '../../items/item-grid.tsx'
import { type Filters, marketQueryOf } from './filters.ts'

type Wider = { title: string; filters: Filters }

const none: Filters = { search: '', category: '', buyOption: '', page: 1 }

/** Filters with fewer conditions, the nearest first. */
export function widened(filters: Filters): Wider[] {
  const { search, minPrice, maxPrice, sort: _, creator, category, ...rest } = filters
  const wider: Wider[] = []
  if (minPrice || maxPrice)
    wider.push({ title: 'At other prices', filters: { ...rest, search, category, creator, page: 1 } })
  const words = search.split(/\s+/).filter(Boolean)
  if (search) wider.push({ title: `All works for “${search}”`, filters: { ...none, search } })
  if (words.length > 1)
    for (const word of words.sort((a, b) => b.length - a.length).slice(0, 3))
      wider.push({ title: `Works for “${word}”`, filters: { ...none, search: word } })
  if (creator) wider.push({ title: `By ${creator}`, filters: { ...none, creator } })
  if (rest.color) wider.push({ title: `Works in ${rest.color}`, filters: { ...none, category, color: rest.color } })
  if (category) wider.push({ title: `Works in ${category}`, filters: { ...none, category } })
  return [...wider, { title: 'Newest works for sale', filters: { ...none, buyOption: 'true' } }]
}

/** The first of the wider filters that finds works. */
async function findNearest(filters: Filters): Promise<{ title: string; items: Nft[] } | null> {
  for (const { title, filters: wider } of widened(filters)) {
    const query = Object.fromEntries(Object.entries(marketQueryOf(wider)).filter(([, value]) => value))
    const { nfts } = await request(getMarket, { query: { ...query, page: '1', limit: String(itemsPerPage) } })
    if (nfts.length > 0) return { title, items: nfts }
  }
  return null
}

/** Below an empty result: works that match some of it. */
export function NearestWorks({ filters }: { filters: Filters }) {
  const key = `nearest ${endpointUrl(getMarket, { query: marketQueryOf(filters) })} ${filters.buyOption}`
  const { data } = useSWR(key, () => findNearest(filters), { revalidateOnFocus: false, shouldRetryOnError: false })
  return data ? <ItemGrid title={data.title} items={data.items} loading={false} /> : null
}
