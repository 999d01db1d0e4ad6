import { categories } from '@nifty/api/categories'
import { colorNames, marketSales, marketSorts, orientations } from '@nifty/api/market-filters'
import { formatPrice } from '@nifty/api/price'
import { pageOf } from '../../api/page-of.ts'

/** Typed values apply after a pause of so long. */
export const DEBOUNCE_MS = 300

/** The filters of the market. They are in the URL's query, so that reload and back keep them. */
export type Filters = { search: string; category: string; buyOption: string; page: number } & Refinements

/** Filters beside those of the specification, as the API's parameters have them; absent without a choice. */
export type Refinements = Partial<
  Record<'sort' | 'minPrice' | 'maxPrice' | 'color' | 'orientation' | 'creator', string>
>

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

export const sortOptions = [
  { label: 'For sale first', value: 'for_sale' },
  { label: 'Newest', value: 'newest' },
  { label: 'Price: low to high', value: 'price_asc' },
  { label: 'Price: high to low', value: 'price_desc' },
  { label: 'Recently sold', value: 'recently_sold' },
]

export const shapeOptions = [
  { label: 'All', value: '' },
  { label: 'Portrait', value: 'portrait' },
  { label: 'Landscape', value: 'landscape' },
  { label: 'Square', value: 'square' },
]

/** A username with its "@", or words of a name or username. */
export const isArtist = (text: string) => /^@?[^@]{1,299}$/.test(text)

const isAmount = (text: string) => /^\d{1,6}(\.\d{1,2})?$/.test(text)

const readers: Record<keyof Refinements, (text: string) => boolean> = {
  sort: (text) => marketSorts.some((sort) => sort === text),
  minPrice: isAmount,
  maxPrice: isAmount,
  color: (text) => colorNames.some((color) => color === text),
  orientation: (text) => orientations.some((orientation) => orientation === text),
  creator: (text) => isArtist(text),
}
const refinements = Object.keys(readers) as (keyof Refinements)[]

/** Unknown values count as no choice, and so do prices of which the lowest is above the highest. */
function refinementsFrom(params: URLSearchParams): Refinements {
  const found: Refinements = {}
  for (const name of refinements) {
    const text = params.get(name)
    if (text && readers[name](text)) found[name] = text
  }
  if (Number(found.minPrice ?? 0) > Number(found.maxPrice ?? Number.POSITIVE_INFINITY)) delete found.maxPrice
  return found
}

export function filtersFrom(params: URLSearchParams): Filters {
  const oneOf = (options: { value: string }[], value: string | null) =>
    options.some((option) => option.value === value) ? value! : ''
  return {
    search: (params.get('search') ?? '').trim().slice(0, 100).trimEnd(),
    category: oneOf(categoryOptions, params.get('category')),
    buyOption: oneOf(itemsOptions, params.get('items')),
    page: pageOf(params),
    ...refinementsFrom(params),
  }
}

export function filtersTo({ search, category, buyOption, page, ...refined }: Filters): URLSearchParams {
  const params = new URLSearchParams()
  if (search) params.set('search', search)
  if (category) params.set('category', category)
  if (buyOption) params.set('items', buyOption)
  for (const name of refinements) if (refined[name]) params.set(name, refined[name])
  if (page > 1) params.set('page', String(page))
  return params
}

/** The operator's settings for the kinds of sale; undefined until they are loaded. */
export type SaleSettings = { offers?: boolean | undefined; auctions?: boolean | undefined }

/** Kinds of sale that the store does not have: their filters match nothing. */
export const isUnsupported = (buyOption: string, { offers, auctions }: SaleSettings) =>
  (buyOption === 'auctions' && auctions === false) || (buyOption === 'offers' && offers === false)

/** The order without a choice: hits are ranked, and the auction that ends first or works for sale come first. */
export const defaultSort = ({ search, buyOption }: Pick<Filters, 'search' | 'buyOption'>) =>
  search || buyOption === 'auctions' ? undefined : ('for_sale' as const)

/** The market's parameters of these filters. */
export const marketQueryOf = ({ search, category, buyOption, page: _, ...refined }: Filters) => ({
  ...refined,
  sort: refined.sort ?? defaultSort({ search, buyOption }),
  search,
  category,
  buyOption: buyOption === 'true' ? ('now' as const) : undefined,
  sale: marketSales.find((sale) => sale === buyOption),
})

/** One active filter in words, with the change that removes it. */
export type ActiveFilter = { label: string; without: Partial<Filters> }

export const labelOf = (options: { label: string; value: string }[], value: string | undefined) =>
  options.find((option) => option.value === value)?.label ?? ''

const saleLabels: Record<string, string> = { true: 'For sale', auctions: 'On auction', offers: 'Takes offers' }

export function activeFilters(filters: Filters): ActiveFilter[] {
  const { search, category, buyOption, color, orientation, creator, minPrice, maxPrice, sort } = filters
  const sales = saleLabels[buyOption] ?? labelOf(itemsOptions, buyOption)
  const found: (ActiveFilter | false | undefined | '')[] = [
    search && { label: `“${search}”`, without: { search: '' } },
    category && { label: category, without: { category: '' } },
    buyOption && { label: sales, without: { buyOption: '' } },
    creator && { label: `By ${creator}`, without: { creator: undefined } },
    color && { label: `${color[0]!.toUpperCase()}${color.slice(1)}`, without: { color: undefined } },
    orientation && { label: labelOf(shapeOptions, orientation), without: { orientation: undefined } },
    (minPrice || maxPrice) && {
      label: priceRange(minPrice, maxPrice),
      without: { minPrice: undefined, maxPrice: undefined },
    },
    sort && { label: labelOf(sortOptions, sort), without: { sort: undefined } },
  ]
  return found.filter((filter) => typeof filter === 'object')
}

function priceRange(min: string | undefined, max: string | undefined): string {
  if (!min) return `Up to ${formatPrice(Number(max))}`
  if (!max) return `From ${formatPrice(Number(min))}`
  return `${formatPrice(Number(min))} to ${formatPrice(Number(max))}`
}

/** The page's title: `“dusk”, Cyber, For sale, page 2 – Explore Items`. */
export function titleOf(filters: Filters, title: string): string {
  const parts = activeFilters(filters).map(({ label }) => label)
  if (filters.page > 1) parts.push(`page ${filters.page}`)
  return parts.length > 0 ? `${parts.join(', ')} – ${title}` : title
}
