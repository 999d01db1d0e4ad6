import { invalid } from '@nifty/service-kit/errors'
import { normalise } from '../items/search-text.ts'
import { type MarketFilters, readMarketFilters } from './market-filters.ts'
import { readSearch, type Search } from './search.ts'

export const MAX_LIMIT = 200
/** Totals are exact up to here, and no page goes further. */
export const MAX_TOTAL = 10_000
const MAX_SEARCH = 100

export type MarketQuery = MarketFilters & {
  page: number
  limit: number
  search: Search | undefined
  category: string
  forSale: boolean
}

/** The query in its canonical form. Unknown parameters are ignored. Throws 400 for invalid paging, search or filters. */
export function readMarketQuery(query: Record<string, string | undefined>): MarketQuery {
  const page = readCount(query.page, 1)
  const limit = Math.min(MAX_LIMIT, readCount(query.limit, MAX_LIMIT))
  return {
    page,
    limit,
    search: readSearch(checkSearch(query.search ?? '')),
    category: query.category ?? '',
    forSale: query.buyOption === 'now',
    ...readMarketFilters(query),
  }
}

function checkSearch(text: string): string {
  if ([...normalise(text).trim()].length <= MAX_SEARCH && text.length <= 4 * MAX_SEARCH) return text
  throw invalid('invalid_search', `The search may have at most ${MAX_SEARCH} characters`)
}

function readCount(text: string | undefined, fallback: number): number {
  if (text === undefined || text === '') return fallback
  const count = /^\d{1,18}$/.test(text) ? Number(text) : 0
  if (count < 1) throw invalid('invalid_paging', 'Invalid paging')
  return count
}

/** Equal for the pages of one search or filter: they share their hits and their total. */
export const selectionKeyOf = ({ page: _, limit: __, ...selection }: MarketQuery) => JSON.stringify(selection)

/** Equal for equivalent queries. */
export const cacheKeyOf = (query: MarketQuery) => `market ${query.page} ${query.limit} ${selectionKeyOf(query)}`
