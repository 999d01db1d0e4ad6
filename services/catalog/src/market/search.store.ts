import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'
import type { Hits } from './hits-cache.ts'
import { MAX_TOTAL } from './paging.ts'
import { gramsOf, type Search } from './search.ts'
import { withSimilarWords } from './similar-words.store.ts'

/** Size of the sample of newest items that estimates how common a search is. */
const SAMPLE = 1_000
/** Above this share of matches, scanning by date finds 10,000 items sooner than the search index does. */
const COMMON_SHARE = 0.1

/** Which items take part, and their order: `order by` without a search. `sorted`: a visitor chose it. */
export type Selection = { filter: RawBuilder<unknown>; order: RawBuilder<unknown>; sorted: boolean }

type Sql = RawBuilder<unknown>
const joined = sql`item join item_text on item_text.item_id = item.id`
const rankColumns = { name: sql`item_text.name`, creator: sql`item_text.creator`, text: sql`item_text.text` }

/**
 * All hits of a search in order, at most `MAX_TOTAL`. Up to there they are ranked: the same name, all words in the name, in
 * name and creator, in the text; newest first within a rank. Beyond they are newest first. A visitor's own sort order
 * replaces both. What finds nothing is repeated with similar words.
 */
export async function findHits(db: Transaction<Database>, selection: Selection, search: Search): Promise<Hits> {
  const exact = await findMatches(db, selection, search)
  if (exact.total > 0) return { ...exact, similar: false }
  const wider = await withSimilarWords(db, search)
  const found = wider ? await findMatches(db, selection, wider) : exact
  return { ...found, similar: found.total > 0 }
}

type Found = Omit<Hits, 'similar'>

/**
 * A sample of the newest items estimates how common the search is: common ones are found by scanning by date, rare ones by
 * the search index, so that both avoid reading most of a million items.
 */
async function findMatches(db: Transaction<Database>, selection: Selection, search: Search): Promise<Found> {
  const matches = contains(rankColumns.text, search.terms)
  const { rows } = await sql<{ seen: number; hits: number; items: number }>`
    select count(*) as seen, count(*) filter (where matched) as hits,
      (select greatest(reltuples, 0)::bigint from pg_class where oid = 'item'::regclass) as items
    from (
      select ${matches} as matched from ${joined}
      where ${selection.filter} order by shown_at desc, item.id desc limit ${SAMPLE}
    ) newest`.execute(db)
  const { seen, hits, items } = rows[0]!
  const share = Math.max(1, hits) / Math.max(1, seen)
  if (seen < SAMPLE || share >= COMMON_SHARE) return gather(db, selection, search, { where: matches, scan: true })

  const where = sql`${hasGrams(search.terms)} and ${matches}`
  const found = await gather(db, selection, search, { where, atMost: MAX_TOTAL + 1 })
  if (found.total < MAX_TOTAL) return found
  // Too many to rank: the first 10,000 in order, by the cheaper of two ways.
  return MAX_TOTAL / share < share * items
    ? gather(db, selection, search, { where: matches, scan: true })
    : gather(db, selection, search, { where })
}

type Plan = { where: Sql; scan?: boolean; atMost?: number }

/** `scan`: in the selection's order, until there are more hits than pages show. Otherwise any `atMost` hits, or all. */
async function gather(db: Transaction<Database>, { filter, order, sorted }: Selection, search: Search, plan: Plan) {
  const limit = plan.scan ? MAX_TOTAL + 1 : (plan.atMost ?? null)
  const rank = sorted ? sql`0` : sql`case when (select hits from counted) <= ${MAX_TOTAL} then ${rankOf(search)} end`
  const { rows } = await sql<{ hits: number; ids: Buffer | null }>`
    with hit as materialized (
      select item.id, for_sale, shown_at, price_cents, sold_at, item_text.name as searched_name, item_text.creator as searched_creator from ${joined}
      where ${filter} and ${plan.where} ${plan.scan ? sql`order by ${order}` : sql``} limit ${limit}
    ), counted as materialized (
      select count(*) as hits from hit
    ), page as (
      select id, row_number() over (order by ${rank} desc, ${order}) as place from hit item
    )
    select (select hits from counted) as hits,
      (select string_agg(uuid_send(id), ''::bytea order by place) from page where place <= ${MAX_TOTAL}) as ids`.execute(
    db,
  )
  const { hits, ids } = rows[0]!
  return { total: Math.min(hits, MAX_TOTAL), ids: ids ?? Buffer.alloc(0) }
}

function rankOf({ name, terms }: Search): Sql {
  const [searched, creator] = [sql`searched_name`, sql`searched_creator`]
  return sql`case when ${searched} = ${name} then 3 when ${contains(searched, terms)} then 2
    when ${contains(sql`(${creator} || ' ' || ${searched})`, terms)} then 1 else 0 end`
}

const every = (parts: Sql[]) => sql`(${sql.join(parts, sql` and `)})`
const some = (parts: Sql[]) => sql`(${sql.join(parts, sql` or `)})`

const contains = (column: Sql, terms: string[][]) =>
  every(terms.map((spellings) => some(spellings.map((spelling) => sql`${column} like ${containing(spelling)}`))))

/** A third of the CPU time of `position()`. */
const containing = (word: string) => `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`

const hasGrams = (terms: string[][]) =>
  every(
    terms.map((spellings) =>
      some(spellings.map((word) => sql`search_grams(text) @> ${gramsOf(word, terms.length)}::text[]`)),
    ),
  )
