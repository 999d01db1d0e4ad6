import { parseLookup } from '@nifty/api/lookup'
import { type Kysely, type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely'
import type { Database, Item } from '../db.ts'
import { fold } from './search-text.ts'

/** So many of the newest works are compared with a part of a name before the index of texts is read. */
const NEWEST = 20_000

type Condition = RawBuilder<SqlBool>

const stateConditions = {
  for_sale: sql<SqlBool>`(item.for_sale and item.reserved_order is null)`,
  reserved: sql<SqlBool>`item.reserved_order is not null`,
  hidden: sql<SqlBool>`item.hidden_at is not null`,
  featured: sql<SqlBool>`item.id in (select item_id from featured_item)`,
} satisfies Record<string, Condition>

type Search = {
  search?: string | undefined
  creatorId?: string | undefined
  ownerId?: string | undefined
  state?: keyof typeof stateConditions | undefined
  after?: string | undefined
}

export type FoundItem = Item & {
  ownerUsername: string | null
  creatorUsername: string | null
  featured: boolean
}

/** Works that match, hidden ones too, newest first, at most `limit`; with `after`, those after this work. */
export async function findWorks(
  db: Transaction<Database>,
  { search, creatorId, ownerId, state, after }: Search,
  limit: number,
): Promise<FoundItem[]> {
  const lookup = search === undefined ? undefined : parseLookup(search)
  const conditions = [
    ...(lookup?.kind === 'id' ? [sql<SqlBool>`item.id = ${lookup.id}`] : []),
    ...(lookup?.kind === 'token' ? [sql<SqlBool>`item.token = ${lookup.token}`] : []),
    ...(creatorId ? [sql<SqlBool>`item.creator_id = ${creatorId}`] : []),
    ...(ownerId ? [sql<SqlBool>`item.owner_id = ${ownerId}`] : []),
    ...(state ? [stateConditions[state]] : []),
    ...(after ? [sql<SqlBool>`(item.shown_at, item.id) < (select shown_at, id from item where id = ${after})`] : []),
  ]
  if (search === undefined || lookup!.kind === 'id' || lookup!.kind === 'token') return read(db, conditions, limit)

  const part = fold(search)
  if (part === '') return []
  const ids = await findByName(db, { conditions, part, limit })
  return ids.length === 0 ? [] : read(db, [sql<SqlBool>`item.id = any(${ids})`], limit)
}

async function findByName(
  db: Kysely<Database>,
  { conditions, part, limit }: { conditions: Condition[]; part: string; limit: number },
): Promise<string[]> {
  const filter = sql.join([sql`true`, ...conditions], sql` and `)
  const hasPart = sql`strpos(item_text.name, ${part}) > 0`
  const idsOf = async (candidates: RawBuilder<unknown>) => {
    const { rows } = await sql<{ id: string }>`
      select id from (${candidates}) found order by shown_at desc, id desc limit ${limit}`.execute(db)
    return rows.map(({ id }) => id)
  }
  const newest = await idsOf(sql`
    select newest.id, newest.shown_at
    from (select id, shown_at from item where ${filter} order by shown_at desc, id desc limit ${NEWEST}) newest
    join item_text on item_id = newest.id where ${hasPart}`)
  if (newest.length === limit) return newest
  // `offset 0`: otherwise PostgreSQL may read works in order and compute the grams of each.
  return idsOf(sql`
    select item.id, item.shown_at
    from (
      select item_id from item_text where search_grams(text) @> search_grams(${part}) and ${hasPart} offset 0
    ) named
    join item on item.id = item_id where ${filter}`)
}

async function read(db: Kysely<Database>, conditions: Condition[], limit: number): Promise<FoundItem[]> {
  return db
    .selectFrom('item')
    .leftJoin('account as owner', 'owner.userId', 'item.ownerId')
    .leftJoin('account as creator', 'creator.userId', 'item.creatorId')
    .selectAll('item')
    .select(['owner.username as ownerUsername', 'creator.username as creatorUsername'])
    .select(stateConditions.featured.as('featured'))
    .where((eb) => eb.and(conditions))
    .orderBy('item.shownAt', 'desc')
    .orderBy('item.id', 'desc')
    .limit(limit)
    .execute() as Promise<FoundItem[]>
}
