import { invalid } from '@nifty/service-kit/base/errors'
import { normalise } from '../items/search-text.ts'
import { type MarketFilters, readMarketFilters } from './market-filters.ts'
import { type Paging, readPaging } from './paging.ts'
import { readSearch, type Search } from './search.ts'

const MAX_SEARCH = 100

export type MarketQuery = MarketFilters & Paging & { search: Search | undefined; category: string; forSale: boolean }

/**
 * The query in its canonical form. Unknown parameters are ignored. Throws 400 for invalid paging, search or filters.
 */
export function readMarketQuery(query: Record<string, string | undefined>): MarketQuery {
  return {
    ...readPaging(query),
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

/** Equal for equivalent queries. */
export const cacheKeyOf = (query: MarketQuery) => `market ${JSON.stringify(query)}`
