import { type Kysely, sql } from 'kysely'
import type { Database } from '../db.ts'
import { nftsByIds, type Shown } from '../items/nft.store.ts'

const TOP_CREATORS = 12
const ITEMS_PER_CREATOR = 4

/** Items for sale of the creators of whom most persons bought, newest listing first. */
export async function topItems(db: Kysely<Database>, shown: Shown) {
  const { rows } = await sql<{ id: string }>`
    select work.id
    from (
      select user_id from creator
      where exists (select from item where creator_id = user_id and for_sale)
      order by buyers desc, works desc, user_id limit ${TOP_CREATORS}
    ) best,
    lateral (
      select id, shown_at from item
      where creator_id = best.user_id and for_sale order by shown_at desc, id desc limit ${ITEMS_PER_CREATOR}
    ) work
    order by work.shown_at desc, work.id desc`.execute(db)
  const ids = rows.map(({ id }) => id)
  return nftsByIds(db, ids, shown)
}
