import { sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { MAX_HITS } from './paging.ts'
import type { Found, Selection, Sql } from './selection.ts'

/** So many times the works that probably have the hits are read before the search for them is given up. */
const MARGIN = { page: 4, count: 1.5 }

/**
 * The first `needed` hits of a search in a visitor's order: complete if `hits` is more than `MAX_HITS`, otherwise a part. A page
 * needs fewer hits in order than the total counts. The others are counted among the works added last: their texts are stored side by
 * side, those of works with similar prices are not. `share`: the expected one of hits among all works. `isFrequent`: the order has
 * about as many.
 */
export async function findSortedPage(
  db: Transaction<Database>,
  { filter, order, columns }: Selection,
  { matches, needed, share, last }: { matches: Sql; needed: number; share: number; last: number },
): Promise<Found & { isFrequent: boolean }> {
  const others = MAX_HITS + 1 - needed
  const since = Math.floor(last - (MARGIN.count * MAX_HITS) / share)
  const { rows } = await sql<Found & { inOrder: number }>`
    with hit as materialized (
      select item.id, ${columns} from (
        select item.id, ${columns} from item where ${filter} order by ${order} limit ${Math.ceil((MARGIN.page * needed) / share)}
      ) item join item_text on item_text.item_id = item.id where ${matches} order by ${order} limit ${needed}
    ), other as (
      select from (
        select item_id from item_text where place > ${since} and ${matches} and item_id not in (select id from hit)
        order by place desc offset 0
      ) matching join item on item.id = item_id where ${filter} limit ${others}
    ), page as (
      select id, row_number() over (order by ${order}) as number from hit item
    )
    select (select count(*) from hit) + (select count(*) from other) as hits, (select count(*) from hit) as in_order,
      (select string_agg(uuid_send(id), ''::bytea order by number) from page) as ids`.execute(db)
  const { hits, ids, inOrder } = rows[0]!
  return { hits, ids, isFrequent: inOrder === needed }
}
