import { categories } from '@nifty/api/categories'

/** The filters of the market. They are in the URL's query, so that reload and back keep them. */
export type Filters = { search: string; category: string; buyOption: string; page: number }

export const categoryOptions = [
  { label: 'All', value: '' },
  ...categories.map((category) => ({ label: category, value: category })),
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

/** Kinds of sale that the store does not offer yet: such a filter matches nothing. */
export const isUnsupported = (buyOption: string) => buyOption === 'auctions' || buyOption === 'offers'
