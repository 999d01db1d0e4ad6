import {
  type ColorName,
  colorNames,
  type MarketSale,
  type MarketSort,
  marketSales,
  marketSorts,
  type Orientation,
  orientations,
} from '@nifty/api/market-filters'
import { invalid } from '@nifty/service-kit/base/errors'

/** Null: not requested. Prices in cents, `creator` a username with its "@" or words of a name, in lower case. */
export type MarketFilters = {
  sort: MarketSort | null
  minCents: number | null
  maxCents: number | null
  color: ColorName | null
  orientation: Orientation | null
  creator: string | null
  sale: MarketSale | null
}

const MAX_USERNAME = 300

/** Empty values count as absent. Throws 400 `invalid_filter` with every wrong parameter in `errors`. */
export function readMarketFilters(query: Record<string, string | undefined>): MarketFilters {
  const errors: { msg: string; path: string }[] = []
  const wrong = (path: string, msg: string) => {
    errors.push({ msg, path })
    return null
  }
  const oneOf = <Name extends string>(path: string, names: readonly Name[]): Name | null =>
    query[path]
      ? (names.find((name) => name === query[path]) ?? wrong(path, `Choose one of ${names.join(', ')}`))
      : null
  const cents = (path: string): number | null => {
    const text = query[path]
    if (!text) return null
    if (!/^\d{1,6}(\.\d{1,2})?$/.test(text)) return wrong(path, 'Enter an amount in euros, such as 120 or 99.50')
    return Math.round(Number(text) * 100)
  }

  const filters: MarketFilters = {
    sort: oneOf('sort', marketSorts),
    minCents: cents('minPrice'),
    maxCents: cents('maxPrice'),
    color: oneOf('color', colorNames),
    orientation: oneOf('orientation', orientations),
    creator: query.creator?.trim().toLowerCase() || null,
    sale: oneOf('sale', marketSales),
  }
  const { minCents, maxCents, creator } = filters
  if (minCents !== null && maxCents !== null && minCents > maxCents)
    wrong('maxPrice', 'The highest price must not be below the lowest')
  if (creator && (creator === '@' || creator.length > MAX_USERNAME))
    wrong('creator', 'Enter the name or username of an artist')
  if (errors[0]) throw invalid('invalid_filter', errors[0].msg, { errors })
  return filters
}
