import { invalid, missingObject } from '../errors/api-error.ts'
import { group, integer, list, type Parsed, text } from './parameter.ts'

/** The paging parameters of every list, and `expand`. */
export const paging = {
  limit: integer({ least: 1 }),
  starting_after: text(),
  ending_before: text(),
  expand: list(text()),
  created: createdWithin,
}

const bounds = group({ gt: integer(), gte: integer(), lt: integer(), lte: integer() })

function createdWithin(...[raw, path]: Parameters<typeof bounds>) {
  if (typeof raw !== 'string') return bounds(raw, path)
  const exactly = integer()(raw, path)
  return { gte: exactly, lte: exactly, gt: undefined, lt: undefined }
}

type Paging = Parsed<typeof paging>

export type Page<Item> = { object: 'list'; data: Item[]; has_more: boolean; url: string }

/** One page of a list that is sorted newest first. `ending_before` pages towards newer objects. */
export function page<Item extends { id: string; created: number }>(
  newestFirst: Item[],
  { limit = 10, starting_after, ending_before, created }: Paging,
  url: string,
): Page<Item> {
  if (limit > 100) throw invalid('Invalid limit: at most 100', { param: 'limit' })
  const at = (id: string, param: string) => {
    const index = newestFirst.findIndex((item) => item.id === id)
    if (index < 0) throw missingObject('object', id, param)
    return index
  }
  const from = starting_after ? at(starting_after, 'starting_after') + 1 : 0
  const to = ending_before ? at(ending_before, 'ending_before') : newestFirst.length
  const found = newestFirst.slice(from, to).filter((item) => isWithin(item.created, created))
  const data = ending_before && !starting_after ? found.slice(-limit) : found.slice(0, limit)
  return { object: 'list', data, has_more: found.length > data.length, url }
}

function isWithin(time: number, within: Paging['created']) {
  if (!within) return true
  const { gt, gte, lt, lte } = within
  return !(
    (gt !== undefined && time <= gt) ||
    (gte !== undefined && time < gte) ||
    (lt !== undefined && time >= lt) ||
    (lte !== undefined && time > lte)
  )
}
