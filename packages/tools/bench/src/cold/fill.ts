import type { Database } from '@nifty/catalog/db'
import { catalog } from '@nifty/catalog/service'
import { createLog } from '@nifty/service-kit/base/logs'
import { prepareDatabase } from '@nifty/service-kit/service/service'
import { type Kysely, sql } from 'kysely'

const CREATORS = 5_000

/** A database of catalog with so many items, its indexes built and its statistics collected. */
export async function fillCatalog(databaseUrl: string, items: number): Promise<Kysely<Database>> {
  const log = createLog({ name: 'bench', level: 'error' })
  const db = await prepareDatabase<Database>({ databaseUrl, log, storeId: 'bench' }, catalog.migrations)
  const indexes = await indexesOfWorks(db)
  await sql.raw(`drop index ${indexes.map(({ name }) => name).join()}`).execute(db)
  await insertItems(db, items)
  await db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection)
    await sql`set maintenance_work_mem = '1GB'`.execute(connection)
    for (const { definition } of indexes) await sql.raw(definition).execute(connection)
    await sql`vacuum analyze`.execute(connection)
    await sql`reset all`.execute(connection)
  })
  return db
}

/** Indexes that no constraint needs: it takes less time to build them of all works than to add each work. */
async function indexesOfWorks(db: Kysely<Database>): Promise<{ name: string; definition: string }[]> {
  const { rows } = await sql<{ name: string; definition: string }>`
    select indexname as name, indexdef as definition from pg_indexes
    where tablename in ('item', 'item_text', 'search_word')
      and not exists (select from pg_constraint where conname = indexname)`.execute(db)
  return rows
}

/**
 * Inserts items with names and descriptions of a few hundred characters, four of five for sale, one of three sold
 * before.
 */
async function insertItems(db: Kysely<Database>, items: number) {
  await sql`
    insert into account (user_id, version, username, first_name, last_name, admin)
    select md5('a' || n)::uuid, 1, '@artist' || n, 'First' || n, 'Last' || n, true
    from generate_series(1, ${CREATORS}::int) n`.execute(db)
  await sql`insert into creator (user_id, works) select user_id, 200 from account`.execute(db)
  const batch = 50_000
  for (let from = 1; from <= items; from += batch)
    await db.transaction().execute(async (trx) => {
      await sql`set local statement_timeout = 0`.execute(trx)
      await sql`alter table item disable trigger user`.execute(trx)
      await sql`
        insert into item (id, token, contract, identifier, creator_id, owner_id, name, description, category, image,
          width, height, color, color_name, orientation, royalty_bps, minted_at, price_cents, for_sale, listed_at, listing_version, shown_at,
          sold_at)
        select gen_random_uuid(), '0x5fbdb2315678afecb367f032d93f642f64180aa3/' || n,
          '0x5FbDB2315678afecb367f032d93F642f64180aa3', n::text, creator, creator, name, description, category,
          '/uploads/nfts/' || n, 1600, 1200, '#aabbcc', case when n % 200 = 3 then 'teal' else 'grey' end,
          case when n % 50 = 3 then 'square' else 'landscape' end, 500, at, 5000 + abs(hashint4(n + 2) % 100000), n % 5 <> 0, at, 1, at,
          case when n % 3 = 0 then at + interval '1 hour' end
        from (
          select n, artist, md5('a' || artist)::uuid as creator, timestamptz '2026-01-01' + n * interval '1 second' as at,
            words[1 + h % 20] || ' ' || words[1 + h / 32 % 20] || ' Nr. ' || n
              || case when n % 50000 = 7 then ' жар-птица' else '' end as name,
            'A ' || words[1 + h / 1024 % 20] || ' seen from a ' || words[1 + h / 32768 % 20] || ', drawn for those who '
              || 'know the ' || words[1 + h / 7 % 20] || ' and remember how ' || words[1 + h / 131 % 20]
              || ' once was, edition ' || md5(n::text) as description,
            (array['Art', 'Moto', 'Animals', 'Robots', 'Cube', 'Tube', 'Cyber', 'Anime'])[1 + n % 8] as category
          from (
            select n, 1 + abs(hashint4(n + 1) % ${CREATORS}) as artist, abs(hashint4(n) % 1000000) as h,
              array['Dusk', 'Crimson', 'Harbour', 'Light', 'Signal', 'Garden', 'Echo', 'Winter', 'Static', 'Mirror',
                'Velvet', 'Tide', 'Circuit', 'Ember', 'Hollow', 'Orbit', 'Lantern', 'Thread', 'Mosaic', 'Drift'] as words
            from generate_series(${from}::int, ${Math.min(items, from + batch - 1)}::int) n
          ) numbered
        ) work`.execute(trx)
      await sql`alter table item enable trigger user`.execute(trx)
    })
  await db.transaction().execute(async (trx) => {
    await sql`set local statement_timeout = 0`.execute(trx)
    await sql`
      insert into item_text (item_id, creator, name, text, pictured)
      select id, creator, folded, creator || chr(31) || folded || chr(31) || translate(lower(description), ',.-', '')
        || chr(31) || lower(category) || chr(31) || color_name || ' ' || orientation, true
      from (
        select item.*, username || ' ' || lower(first_name) || ' ' || lower(last_name) as creator,
          translate(lower(name), '-.', ' ') as folded
        from item join account on user_id = creator_id
      ) named order by minted_at`.execute(trx)
    await sql`
      insert into artist_text (user_id, text)
      select user_id, username || ' ' || lower(first_name) || ' ' || lower(last_name) from account`.execute(trx)
    await sql`
      insert into search_word
      select distinct word from item_text, regexp_split_to_table(text, '[^[:alpha:]]+') word
      where length(word) between 4 and 24 on conflict do nothing`.execute(trx)
  })
}
