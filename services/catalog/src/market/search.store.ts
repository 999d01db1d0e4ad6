import { sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { type Hits, ID_BYTES } from './hits-cache.ts'
import { MAX_HITS } from './paging.ts'
import { rarestGramsOf, type Search } from './search.ts'
import { type Found, joined, type Selection, type Sql } from './selection.ts'
import { withSimilarWords } from './similar-words.store.ts'
import { findSortedPage } from './sorted-page.store.ts'

/** Size of the sample of newest items that estimates how common a search is. */
const SAMPLE = 1_000
/** With a filter, where texts are read one by one, and the estimate chooses between two ways only. */
const FILTERED_SAMPLE = 200
/** Of these texts of the sample the frequency of grams is estimated. */
const SAMPLED_TEXTS = 100
/** Above this share of matches, reading items one after the other finds hits sooner than the search index does. */
const COMMON_SHARE = 0.1
/** Items of one block of the search index (`migrations/012-number-works.sql`). */
const BLOCK = 4_096

const rankColumns = { name: sql`item_text.name`, creator: sql`item_text.creator`, text: sql`item_text.text` }

/**
 * The first hits of a search in order, all of them or at least `needed`, at most `MAX_HITS`. Up to there they are ranked: the same
 * name, all words in the name, in name and creator, in the text; newest first within a rank. Beyond they are the works of the same name, then those that were
 * added last, or with a filter the ones that were listed last. A visitor's own sort order replaces both. What finds nothing is
 * repeated with similar words.
 */
export async function findHits(
  db: Transaction<Database>,
  selection: Selection,
  search: Search,
  needed: number,
): Promise<Hits> {
  const exact = await findMatches(db, selection, search, needed)
  const wider = exact.hits === 0 ? await withSimilarWords(db, search) : undefined
  const found = wider ? await findMatches(db, selection, wider, needed) : exact
  const ids = found.ids ?? Buffer.alloc(0)
  const { name } = wider ?? search
  const isUnranked = found.hits > MAX_HITS && !selection.sorted && name !== ''
  return {
    total: Math.min(found.hits, MAX_HITS),
    ids: isUnranked ? firstOf([await findNamed(db, selection, name), ids]) : ids,
    similar: wider !== undefined && found.hits > 0,
  }
}

/** Works of exactly this name, in the selection's order. */
async function findNamed(db: Transaction<Database>, { filter, order }: Selection, name: string): Promise<Buffer> {
  const { rows } = await sql<{ ids: Buffer | null }>`
    select string_agg(uuid_send(id), ''::bytea order by number) as ids from (
      select item.id, row_number() over (order by ${order}) as number from ${joined}
      where ${filter} and item_text.name = ${name} order by ${order} limit ${MAX_HITS}
    ) named`.execute(db)
  return rows[0]!.ids ?? Buffer.alloc(0)
}

/** The first `MAX_HITS` different ids of these lists. */
function firstOf(lists: Buffer[]): Buffer {
  const ids = new Set(lists.flatMap((list) => list.toString('hex').match(/.{32}/g) ?? []))
  return Buffer.from([...ids].slice(0, MAX_HITS).join(''), 'hex')
}

/**
 * A sample of the newest items estimates how common the search is: common ones are found by reading items in order, rare
 * ones by the search index, so that both avoid reading most of a million items.
 */
async function findMatches(
  db: Transaction<Database>,
  selection: Selection,
  search: Search,
  needed: number,
): Promise<Found> {
  const matches = contains(rankColumns.text, search.terms)
  const { seen, hits, items, last, texts } = await takeSample(db, selection, matches)
  const share = Math.max(1, hits) / Math.max(1, seen)
  const inOrder = selection.sorted || selection.filtered
  const scan = { from: joined, where: matches, order: selection.order, atMost: MAX_HITS + 1 }
  if (seen < sampleOf(selection)) return gather(db, selection, search, { ...scan, atMost: SAMPLE })
  const byIndex = sql`${hasGrams(search.terms, texts)} and ${matches}`
  const expected = share * items
  if (inOrder) {
    // Fewer items are read in order until there are enough hits than the index has of all.
    const isWalkShorter = (enough: number) => share >= COMMON_SHARE || (hits > 0 && enough / share < expected)
    const isPageLess = selection.sorted && !selection.filtered && needed <= MAX_HITS / 2 && isWalkShorter(needed)
    const page = isPageLess ? await findSortedPage(db, selection, { matches, needed, share, last }) : undefined
    if (page && page.hits > MAX_HITS) return page
    const isWalked = isWalkShorter(MAX_HITS) && page?.isFrequent !== false
    return gather(db, selection, search, isWalked ? scan : { from: joined, where: byIndex })
  }
  const isRare = hits === 0 || expected < MAX_HITS
  if (isRare) {
    const found = await gather(db, selection, search, { from: joined, where: byIndex, atMost: MAX_HITS + 1 })
    if (found.hits <= MAX_HITS) return found
  }
  const works = isRare ? last / 8 : (1.2 * MAX_HITS) / share
  return findNewest(db, selection, search, { works, last, matches, byIndex, isCommon: share >= COMMON_SHARE })
}

/** `texts`: some of the sample. */
type Sample = { seen: number; hits: number; items: number; last: number; texts: string[] }

const sampleOf = ({ filtered }: Selection) => (filtered ? FILTERED_SAMPLE : SAMPLE)

async function takeSample(db: Transaction<Database>, selection: Selection, matches: Sql): Promise<Sample> {
  const { filter, filtered } = selection
  const newest = filtered
    ? sql`${joined} where ${filter} order by shown_at desc, item.id desc`
    : sql`item_text order by place desc`
  const { rows } = await sql<Sample>`
    select count(*) as seen, count(*) filter (where matched) as hits,
      coalesce(array_agg(text) filter (where number <= ${SAMPLED_TEXTS}), '{}') as texts,
      (select greatest(reltuples, 0)::bigint from pg_class where oid = 'item'::regclass) as items,
      (select coalesce(max(place), 0) from item_text) as last
    from (
      select ${matches} as matched, text, row_number() over () as number from (select text from ${newest} limit ${sampleOf(selection)}) item_text
    ) numbered`.execute(db)
  return rows[0]!
}

type Newest = { works: number; last: number; matches: Sql; byIndex: Sql; isCommon: boolean }

/**
 * Among the works added last: of `works`, then of more, until there are too many hits to rank or no further works. Common hits are
 * found without the index, unless they are so among the newest works only.
 */
async function findNewest(db: Transaction<Database>, selection: Selection, search: Search, newest: Newest) {
  const { last, matches, byIndex } = newest
  for (let { works, isCommon } = newest; ; isCommon = false) {
    const block = Math.floor((last - works) / BLOCK)
    const where = isCommon ? matches : byIndex
    const since = isCommon ? sql`place >= ${block * BLOCK}` : inBlocks(block, Math.floor(last / BLOCK))
    const within = block > 0 ? sql`${since} and ${where}` : where
    const found = await gatherNewest(db, within)
    if (found.hits > MAX_HITS) return found
    if (block <= 0) return gather(db, selection, search, { from: joined, where: byIndex })
    works *= Math.min(16, Math.max(2, (1.2 * MAX_HITS) / Math.max(1, found.hits)))
  }
}

/** The works added last, without reading them: of the items, only the index of hidden ones is. */
async function gatherNewest(db: Transaction<Database>, within: Sql): Promise<Found> {
  const { rows } = await sql<Found>`
    select count(*) as hits, string_agg(uuid_send(item_id), ''::bytea order by place desc) as ids from (
      select item_id, place from (select item_id, place from item_text where ${within} order by place desc offset 0) matching
      where not exists (select from item where id = item_id and hidden_at is not null)
      order by place desc limit ${MAX_HITS + 1}
    ) newest`.execute(db)
  const { hits, ids } = rows[0]!
  return { hits, ids: ids?.subarray(0, MAX_HITS * ID_BYTES) ?? null }
}

/** `order`: in which hits are found, until there are `atMost`. Without it any `atMost` hits, or all. */
type Plan = { from: Sql; where: Sql; order?: Sql; atMost?: number }

async function gather(db: Transaction<Database>, selection: Selection, search: Search, plan: Plan) {
  const { filter, order, columns, sorted, filtered } = selection
  const unranked = filtered ? sql`0` : sql`place`
  const rank = sorted
    ? sql`0`
    : sql`case when (select hits from counted) <= ${MAX_HITS} then ${rankOf(search)} else ${unranked} end`
  const { rows } = await sql<Found>`
    with hit as materialized (
      select item.id, ${columns}, place, item_text.name as searched_name, item_text.creator as searched_creator
      from ${plan.from} where ${filter} and ${plan.where} ${plan.order ? sql`order by ${plan.order}` : sql``}
      limit ${plan.atMost ?? null}
    ), counted as materialized (
      select count(*) as hits from hit
    ), page as (
      select id, row_number() over (order by ${rank} desc, ${order}) as place from hit item
    )
    select (select hits from counted) as hits,
      (select string_agg(uuid_send(id), ''::bytea order by place) from page where place <= ${MAX_HITS}) as ids`.execute(
    db,
  )
  return rows[0]!
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

/** `texts`: a sample, of which the rarest grams of each word are chosen. */
const hasGrams = (terms: string[][], texts: string[]) =>
  every(
    terms.map((spellings) =>
      some(spellings.map((word) => sql`search_grams(text) @> ${rarestGramsOf(word, texts)}::text[]`)),
    ),
  )

const inBlocks = (first: number, last: number) =>
  sql`array[(place / ${sql.lit(BLOCK)})::integer] && ${Array.from({ length: last - first + 1 }, (_, at) => first + at)}::integer[]`
