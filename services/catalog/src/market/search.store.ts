import { sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { MAX_HITS, type Rows } from './paging.ts'
import { rarestGramsOf, type Search } from './search.ts'
import type { Selection, Sql } from './selection.ts'
import { withSimilarWords } from './similar-words.store.ts'

/** The share of matches is counted in so many works, the newest ones. */
const SAMPLE = 1_000
/** With a filter, whose works are read one by one. */
const FILTERED_SAMPLE = 200
/** Texts of the sample in which the frequency of grams is counted. */
const SAMPLED_TEXTS = 100
/** From this share of matches on, reading works in order takes less than reading the index. */
const COMMON_SHARE = 0.1
/** So many times the works that probably have enough hits are read in order before that is given up. */
const MARGIN_IN_ORDER = 4
/** The same for works in the newest blocks of the index. */
const MARGIN_IN_BLOCKS = 1.2
/** The same for the works added last, among which the hits are counted that are not on a sorted page. */
const MARGIN_OF_OTHERS = 1.5
/** The part of the works in whose blocks hits are looked for first that the sample does not have. */
const NEWEST_PART = 1 / 8
/** How many times as many works are in the blocks that are read next. */
const GROWTH = 4
/** Works of one block of the index (`migrations/012-number-works.sql`). */
const BLOCK = 4_096

/** Ids of the works of a page. */
export type Hits = { total: number; ids: string[]; similar: boolean }

/** One page of a search; `total` is at most `MAX_HITS`. A search without hits is repeated with similar words. */
export async function findHits(
  db: Transaction<Database>,
  selection: Selection,
  search: Search,
  rows: Rows,
): Promise<Hits> {
  const exact = await findMatches(db, selection, search, rows)
  const wider = exact.hits === 0 ? await withSimilarWords(db, search) : undefined
  const { hits, ids } = wider ? await findMatches(db, selection, wider, rows) : exact
  return { total: Math.min(hits, MAX_HITS), ids, similar: wider !== undefined && hits > 0 }
}

/** `hits` is exact up to `MAX_HITS`, and any larger number beyond. */
type Found = { hits: number; ids: string[] }

/**
 * Reads works in order until there are enough hits, if the words are frequent in the sample; otherwise uses the index:
 * all of it, or its newest blocks if these have enough hits. An estimate that was wrong costs time, never a hit.
 */
async function findMatches(
  db: Transaction<Database>,
  selection: Selection,
  search: Search,
  rows: Rows,
): Promise<Found> {
  const works = worksOf(selection)
  const find = (candidates: Sql) => findPage(db, works, { candidates, search, rows })
  const matches = contains(sql`item_text.text`, search.terms)
  const { seen, share, expected, last, texts } = await takeSample(db, selection, matches)
  if (seen < sampleOf(selection)) return find(works.first(SAMPLE, matches))

  const isShorterInOrder = (count: number) => share >= COMMON_SHARE || (works.isOrdered && count / share < expected)
  const firstWith = (count: number) => works.first(Math.ceil((MARGIN_IN_ORDER * count) / share), matches)
  const needed = rows.offset + rows.size
  if (selection.sorted && !selection.filtered && needed <= MAX_HITS / 2 && isShorterInOrder(needed)) {
    const others = sql`place > ${Math.floor(last - (MARGIN_OF_OTHERS * MAX_HITS) / share)} and ${matches}`
    const found = await findSortedPage(db, selection, { candidates: firstWith(needed), others, rows })
    if (found.hits > MAX_HITS) return found
  }
  if (isShorterInOrder(MAX_HITS)) {
    const found = await find(firstWith(MAX_HITS))
    if (found.hits > MAX_HITS) return found
  }
  const indexed = sql`${hasGrams(search.terms, texts)} and ${matches}`
  if (works.isOrdered) return find(works.all(indexed))

  const isRare = expected <= MAX_HITS
  if (isRare) {
    const found = await find(works.some(indexed))
    if (found.hits <= MAX_HITS) return found
  }
  for (
    let newest = isRare ? NEWEST_PART * last : (MARGIN_IN_BLOCKS * MAX_HITS) / share;
    newest < last;
    newest *= GROWTH
  ) {
    const found = await find(works.all(sql`${inBlocks(last - newest, last)} and ${indexed}`))
    if (found.hits > MAX_HITS) return found
  }
  return find(works.all(indexed))
}

/**
 * `seen`: works of the sample. `share`: of them that match. `expected`: hits in the catalogue. `last`: the highest
 * place.
 */
type Sample = { seen: number; share: number; expected: number; last: number; texts: string[] }

const sampleOf = ({ filtered }: Selection) => (filtered ? FILTERED_SAMPLE : SAMPLE)

async function takeSample(db: Transaction<Database>, selection: Selection, matches: Sql): Promise<Sample> {
  const newest = selection.filtered
    ? sql`item join item_text on item_id = item.id where ${selection.filter} order by shown_at desc, item.id desc`
    : sql`item_text order by place desc`
  const { rows } = await sql<{ seen: number; hits: number; works: number; last: number; texts: string[] }>`
    select count(*) as seen, count(*) filter (where ${matches}) as hits,
      coalesce(array_agg(text) filter (where number <= ${SAMPLED_TEXTS}), '{}') as texts,
      (select greatest(reltuples, 0)::bigint from pg_class where oid = 'item'::regclass) as works,
      (select coalesce(max(place), 0) from item_text) as last
    from (
      select text, row_number() over () as number from (select text from ${newest} limit ${sampleOf(selection)}) newest
    ) item_text`.execute(db)
  const { hits, works, ...sample } = rows[0]!
  const share = hits / Math.max(1, sample.seen)
  return { ...sample, share, expected: share * works }
}

/**
 * The works of a selection, and their order. `first`: those that match, of the first works. `all`, `some`: those of a
 * condition that an index finds; as many as are counted.
 */
type Works = {
  order: Sql
  /** By a visitor's choice: hits are not ranked. */
  isSorted: boolean
  /** By a column of the items. */
  isOrdered: boolean
  first: (count: number, matches: Sql) => Sql
  all: (condition: Sql) => Sql
  some: (condition: Sql) => Sql
}

const columnsOfText = sql`item_id, item_text.name, item_text.creator, item_text.text`

function worksOf({ filter, order, columns, sorted, filtered }: Selection): Works {
  const { found, ...works } = sorted || filtered ? orderedWorks({ filter, order, columns }) : addedWorks
  return {
    ...works,
    isSorted: sorted,
    // `offset 0`: otherwise PostgreSQL may read works in order and compute the grams of each.
    all: (condition) => sql`${found(condition)} offset 0`,
    some: (condition) => sql`${found(condition)} limit ${sql.lit(MAX_HITS + 1)}`,
  }
}

const orderedWorks = ({ filter, order, columns }: Pick<Selection, 'filter' | 'order' | 'columns'>) => ({
  order,
  isOrdered: true,
  first: (count: number, matches: Sql) => sql`
    select item.id, ${columns}, ${columnsOfText} from (
      select item.id, ${columns} from item where ${filter} order by ${order} limit ${count}
    ) item join item_text on item_id = item.id where ${matches}`,
  found: (condition: Sql) => sql`
    select item.id, ${columns}, ${columnsOfText} from item join item_text on item_id = item.id
    where ${filter} and ${condition}`,
})

/** All works, the one that was added last first. Items are not read: an index has the hidden ones. */
const isVisible = sql`not exists (select from item where id = item_id and hidden_at is not null)`
const addedWorks = {
  order: sql`place desc`,
  isOrdered: false,
  first: (count: number, matches: Sql) => sql`
    select ${columnsOfText}, place from (select * from item_text order by place desc limit ${count}) item_text
    where ${matches} and ${isVisible}`,
  found: (condition: Sql) => sql`
    select ${columnsOfText}, place from item_text where ${condition} and ${isVisible}`,
}

/**
 * Up to `MAX_HITS` hits are ranked: the same name, all words in the name, in name and creator, in the text; within a
 * rank the newest listing first. Of more hits the works of the same name come first, then the others in order.
 * `isSorted` has no ranks.
 */
async function findPage(
  db: Transaction<Database>,
  { order, isSorted, isOrdered, all }: Works,
  { candidates, search, rows }: { candidates: Sql; search: Search; rows: Rows },
): Promise<Found> {
  const { name, terms } = search
  const inOrder = (works: Sql) => sql`(
    select item.*, row_number() over (order by ${order}) as number from (${works}) item
    order by ${order} limit ${sql.lit(MAX_HITS + 1)})`
  const named = all(sql`item_text.name = ${name}`)
  const hit =
    isSorted || name === ''
      ? sql`select *, false as is_named from ${inOrder(candidates)} found`
      : sql`select *, true as is_named from ${inOrder(named)} named union all
          select *, false from ${inOrder(sql`select * from (${candidates}) found where name <> ${name}`)} other`
  const rank = isSorted
    ? sql`is_named`
    : sql`case when is_named then 3 when hits > ${MAX_HITS} then 0 when ${contains(sql`name`, terms)} then 2
        when ${contains(sql`(creator || ' ' || name)`, terms)} then 1 else 0 end`
  const newestListing = isOrdered
    ? sql`number`
    : sql`case when hits <= ${MAX_HITS} then (select row(shown_at, id) from item where id = item_id) end desc, number`
  const size = Math.max(0, Math.min(rows.size, MAX_HITS - rows.offset))
  const { rows: found } = await sql<Found>`
    with hit as materialized (${hit}), counted as materialized (select count(*) as hits from hit)
    select hits, array(
      select item_id from hit order by ${rank} desc, ${newestListing} limit ${size} offset ${rows.offset}
    )::text[] as ids from counted`.execute(db)
  return found[0]!
}

/**
 * A page in a visitor's order needs fewer hits in this order than the total counts. The `others` are counted among the
 * works added last: their texts are stored side by side, those of works with similar prices are not. Complete if there
 * are more than `MAX_HITS`.
 */
async function findSortedPage(
  db: Transaction<Database>,
  { filter, order }: Selection,
  { candidates, others, rows }: { candidates: Sql; others: Sql; rows: Rows },
): Promise<Found> {
  const needed = rows.offset + rows.size
  const { rows: found } = await sql<Found>`
    with hit as materialized (
      select item_id, row_number() over (order by ${order}) as number from (${candidates}) item
      order by ${order} limit ${needed}
    ), other as (
      select from (
        select item_id from item_text where ${others} and item_id not in (select item_id from hit)
        order by place desc offset 0
      ) matching join item on item.id = item_id where ${filter} limit ${MAX_HITS + 1 - needed}
    )
    select (select count(*) from hit) + (select count(*) from other) as hits,
      array(select item_id from hit order by number offset ${rows.offset})::text[] as ids`.execute(db)
  return found[0]!
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

/** The blocks of these places. */
function inBlocks(from: number, to: number): Sql {
  const first = Math.floor(from / BLOCK)
  const blocks = Array.from({ length: Math.floor(to / BLOCK) - first + 1 }, (_, at) => first + at)
  return sql`array[(place / ${sql.lit(BLOCK)})::integer] && ${blocks}::integer[]`
}
