import { invalid } from '@nifty/service-kit/base/errors'

export const MAX_LIMIT = 200
/** Totals are exact up to here, and no page goes further. */
export const MAX_TOTAL = 10_000
/** The same for the hits of a search. */
export const MAX_HITS = 500

/** Pages start at 1. */
export type Paging = { page: number; limit: number }

/** Absent or empty: the first page, of 200 entries. Throws 400 for anything but whole numbers from 1. */
export const readPaging = ({ page, limit }: Partial<Record<keyof Paging, string>>): Paging => ({
  page: readCount(page, 1),
  limit: Math.min(MAX_LIMIT, readCount(limit, MAX_LIMIT)),
})

function readCount(text: string | undefined, fallback: number): number {
  if (text === undefined || text === '') return fallback
  const count = /^\d{1,18}$/.test(text) ? Number(text) : 0
  if (count < 1) throw invalid('invalid_paging', 'Invalid paging')
  return count
}

export type Rows = { offset: number; size: number }

/** The rows of a page. None beyond `MAX_TOTAL`. */
export function rowsOf({ page, limit }: Paging): Rows {
  const offset = Math.min((page - 1) * limit, MAX_TOTAL)
  return { offset, size: Math.min(limit, MAX_TOTAL - offset) }
}
