import { type Kysely, sql } from 'kysely'
import type { Database } from '../db.ts'

/** Items of one sitemap; the protocol allows 50,000. */
const PART_SIZE = 2_000
/** The parts are counted through all items: at most this often, in milliseconds. */
const PARTS_MS = 600_000

/**
 * The first id of every part. A part is a range of ids, so that an item that appears or disappears moves no others, and
 * a part of an old list is still found. The last list is kept for ten minutes; requests meanwhile share one query.
 */
export function createSitemapParts(db: Kysely<Database>, size = PART_SIZE) {
  let last: { parts: Promise<string[]>; until: number } | undefined
  return async (): Promise<string[]> => {
    if (last && last.until > performance.now()) return last.parts
    const parts = findParts(db, size)
    const started = { parts, until: performance.now() + PARTS_MS }
    last = started
    parts.catch(() => {
      if (last === started) last = undefined
    })
    return parts
  }
}

async function findParts(db: Kysely<Database>, size: number) {
  const { rows } = await sql<{ id: string }>`
    select id from (
      select id, row_number() over (order by id) as place from item where hidden_at is null
    ) placed
    where (place - 1) % ${size} = 0 order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/** The visible items of a part, ordered by id. */
export async function findSitemapItems(db: Kysely<Database>, first: string, size = PART_SIZE) {
  const rows = await db
    .selectFrom('item')
    .leftJoin('account', 'account.userId', 'item.ownerId')
    .select(['account.username', 'contract', 'identifier', 'shownAt'])
    .where('hiddenAt', 'is', null)
    .where('item.id', '>=', first)
    .orderBy('item.id')
    .limit(size)
    .execute()
  return rows.map(({ shownAt, ...item }) => ({ ...item, changedAt: shownAt.toISOString() }))
}
