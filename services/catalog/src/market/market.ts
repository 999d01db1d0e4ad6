import { invalid } from '@nifty/service-kit/errors'
import { normalise } from '../items/search-text.ts'

export const MAX_LIMIT = 200
/** As far as anybody counts or pages: the rest is for searching. */
export const MAX_TOTAL = 10_000
const MAX_SEARCH = 100

export type MarketQuery = {
  page: number
  limit: number
  /** Normalised; empty for none. */
  search: string
  category: string
  forSale: boolean
}

/** What a visitor asks, in the one form that a cached answer is kept under. Unknown parameters mean nothing. */
export function readMarketQuery(query: Record<string, string | undefined>): MarketQuery {
  const page = readCount(query.page, 1)
  const limit = Math.min(MAX_LIMIT, readCount(query.limit, MAX_LIMIT))
  const search = normalise(query.search ?? '').trim()
  if ([...search].length > MAX_SEARCH || (query.search ?? '').length > 4 * MAX_SEARCH)
    throw invalid('invalid_search', `The search may have at most ${MAX_SEARCH} characters`)
  return { page, limit, search, category: query.category ?? '', forSale: query.buyOption === 'now' }
}

function readCount(text: string | undefined, fallback: number): number {
  if (text === undefined || text === '') return fallback
  const count = /^\d{1,18}$/.test(text) ? Number(text) : 0
  if (count < 1) throw invalid('invalid_paging', 'Invalid paging')
  return count
}

/** The same for every way to write the same question. */
export const keyOf = ({ page, limit, search, category, forSale }: MarketQuery) =>
  `market ${JSON.stringify([page, limit, search, category, forSale])}`
