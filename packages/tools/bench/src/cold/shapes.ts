import type { Market } from '@nifty/api/catalog/public'

/** A query, and its page in each catalogue. */
export type Shape = { query: Record<string, string>; name: string }

type Page = Pick<Market, 'total'> & { nfts: unknown[] }

/**
 * The query with pages of equal length: where the first page has fewer works in the smallest catalogue, `limit` is that
 * many in all of them. Otherwise the ratio of two times would be that of two pages. What a query finds grows with the
 * catalogue. `pages`: those of the query in the catalogues, the smallest first.
 */
export function shapeOf(query: Record<string, string>, pages: Page[]): Shape {
  const lengths = pages.map(({ nfts }) => nfts.length)
  const shortest = Math.max(1, lengths[0]!)
  const isCut = query.page === undefined && lengths.some((length) => length > shortest)
  const shown = isCut ? lengths.map((length) => Math.min(length, shortest)) : lengths
  const name = `${JSON.stringify(query)}, ${isCut ? `limit ${shortest}, ` : ''}works on the page ${shown.join('/')}, found ${pages.map(({ total }) => total).join('/')}`
  return { query: isCut ? { ...query, limit: String(shortest) } : query, name }
}
