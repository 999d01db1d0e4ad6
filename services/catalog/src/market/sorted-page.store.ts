import { sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { MAX_HITS } from './paging.ts'
import { type Found, joined, type Selection, type Sql } from './selection.ts'

/** So many times the works that probably have the counted hits are read before the count is given up. */
const MARGIN = 1.5

/**
 * The first `needed` hits of a common search in a visitor's order, if there are more than `MAX_HITS`, or all if they are fewer than
 * `needed`; undefined if neither is certain. A page needs fewer hits in order than the total counts. The others are counted among
 * the works added last: their texts are stored side by side, those of works with similar prices are not. `share`: of all works.
 */
export async function findSortedPage(
  db: Transaction<Database>,
  { filter, order, columns }: Selection,
  { matches, needed, share, last }: { matches: Sql; needed: number; share: number; last: number },
): Promise<Found | undefined> {
  const others = MAX_HITS + 1 - needed
  const since = Math.floor(last - (MARGIN * MAX_HITS) / share)
  const { rows } = await sql<Found>`
    with hit as materialized (
      select item.id, ${columns} from ${joined} where ${filter} and ${matches} order by ${order} limit ${needed}
    ), other as (
      select from (
        select item_id from item_text where place > ${since} and ${matches} and item_id not in (select id from hit)
        order by place desc offset 0
      ) matching join item on item.id = item_id where ${filter} limit ${others}
    ), page as (
      select id, row_number() over (order by ${order}) as number from hit item
    )
    select (select count(*) from hit) + (select count(*) from other) as hits,
      (select string_agg(uuid_send(id), ''::bytea order by number) from page) as ids`.execute(db)
  const { hits, ids } = rows[0]!
  return hits > MAX_HITS || hits < needed ? { hits, ids } : undefined
}
