import type { categories } from '@nifty/api/catalog'

/** The store's categories; the type holds them to the API's list without loading its schemas. */
const known: readonly (typeof categories)[number][] = [
  'Art',
  'Moto',
  'Animals',
  'Robots',
  'Cube',
  'Tube',
  'Cyber',
  'Anime',
]

/** What a reader may narrow the market down to. It lives in the address, so reload and back keep it. */
export type Filters = { search: string; category: string; buyOption: string; page: number }

export const categoryOptions = [
  { label: 'All', value: '' },
  ...known.map((category) => ({ label: category, value: category })),
]

export const itemsOptions = [
  { label: 'All', value: '' },
  { label: 'Buy Now', value: 'true' },
  { label: 'Auctions', value: 'auctions' },
  { label: 'Offers', value: 'offers' },
]

export function filtersFrom(params: URLSearchParams): Filters {
  const oneOf = (options: { value: string }[], value: string | null) =>
    options.some((option) => option.value === value) ? value! : ''
  const page = Number(params.get('page'))
  return {
    search: (params.get('search') ?? '').slice(0, 100),
    category: oneOf(categoryOptions, params.get('category')),
    buyOption: oneOf(itemsOptions, params.get('items')),
    page: Number.isInteger(page) && page > 0 ? page : 1,
  }
}

export function filtersTo({ search, category, buyOption, page }: Filters): URLSearchParams {
  const params = new URLSearchParams()
  if (search) params.set('search', search)
  if (category) params.set('category', category)
  if (buyOption) params.set('items', buyOption)
  if (page > 1) params.set('page', String(page))
  return params
}

/** Kinds of sale that no work has yet. */
export const isOfferless = (buyOption: string) => buyOption === 'auctions' || buyOption === 'offers'
