import { type Kysely, sql } from 'kysely'
import type { Database } from '../db.ts'

/** Works `Work 1`, `Work 2` and so on, each shown a minute before the one before it, without texts to search. */
export const insertWorks = (db: Kysely<Database>, count: number) =>
  sql`
    insert into item (id, token, contract, identifier, creator_id, owner_id, name, description, category, image, width,
      height, color, royalty_bps, minted_at, shown_at)
    select md5(n::text)::uuid, '0x/' || n, '0x', n::text, md5('a')::uuid, md5('a')::uuid, 'Work ' || n, '', 'Art', '', 1, 1,
      '', 0, now(), now() - n * interval '1 minute'
    from generate_series(1, ${count}::int) n`.execute(db)
