/**
 * Measures market queries on a database with a million items:
 *
 *     node services/catalog/src/market/market.bench.ts <url of an empty database> [items]
 */

import { createLog } from '@nifty/service-kit/logs'
import { prepareDatabase } from '@nifty/service-kit/service'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db.ts'
import { catalog } from '../service.ts'
import { findMarket } from './market.store.ts'
import { readMarketQuery } from './market.ts'

const CREATORS = 5_000
const ROUNDS = 20

const queries: Record<string, string>[] = [
  {},
  { page: '50' },
  { category: 'Robots', buyOption: 'now' },
  { search: 'light' },
  { search: 'light', page: '50' },
  { search: 'crimson harbour' },
  { search: 'harbour crimson thread' },
  { search: 'harbuor' },
  { search: 'x'.repeat(100) },
  { search: 'a b c d e f g h i j k l m n o p q r s t u v w x y z 0 1 2 3 4 5 6 7 8 9' },
  { search: 'a' },
  { search: 'qz' },
  { sort: 'price_asc' },
  { sort: 'price_desc', buyOption: 'now', page: '50' },
  { color: 'teal', orientation: 'square', minPrice: '100', maxPrice: '200' },
  { search: 'light', sort: 'price_asc' },
  { search: 'no such words' },
  { search: 'nr. 77777' },
  { search: '@artist4321' },
  { search: 'жар-птица' },
  { search: '%_\\' },
  { search: 'harbour', category: 'Cube', buyOption: 'now' },
]

/** Inserts items with names and descriptions of a few hundred characters, four of five for sale. */
async function fill(db: Kysely<Database>, items: number) {
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
          width, height, color, color_name, orientation, royalty_bps, minted_at, price_cents, for_sale, listed_at, listing_version, shown_at)
        select gen_random_uuid(), '0x5fbdb2315678afecb367f032d93f642f64180aa3/' || n,
          '0x5FbDB2315678afecb367f032d93F642f64180aa3', n::text, creator, creator, name, description, category,
          '/uploads/nfts/' || n, 1600, 1200, '#aabbcc', case when n % 200 = 3 then 'teal' else 'grey' end,
          case when n % 50 = 3 then 'square' else 'landscape' end, 500, at, 5000 + n % 100000, n % 5 <> 0, at, 1, at
        from (
          select n, artist, md5('a' || artist)::uuid as creator, timestamptz '2026-01-01' + n * interval '1 second' as at,
            words[1 + h % 20] || ' ' || words[1 + h / 32 % 20] || ' Nr. ' || n
              || case when n % 50000 = 7 then ' Жар-птица' else '' end as name,
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
      insert into item_text (item_id, creator, name, text)
      select id, creator, folded, creator || chr(31) || folded || chr(31) || translate(lower(description), ',.-', '')
        || chr(31) || lower(category)
      from (
        select item.*, username || ' ' || lower(first_name) || ' ' || lower(last_name) as creator,
          translate(lower(name), '.', '') as folded
        from item join account on user_id = creator_id
      ) named`.execute(trx)
    await sql`
      insert into search_word
      select distinct word from item_text, regexp_split_to_table(text, '[^[:alpha:]]+') word
      where length(word) between 4 and 24 on conflict do nothing`.execute(trx)
  })
}

async function timed<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now()
  const result = await work()
  print(`${what}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
  return result
}

const print = (line: string) => process.stdout.write(`${line}\n`)

async function measure(db: Kysely<Database>) {
  for (const params of queries) {
    const query = readMarketQuery(params)
    const times: number[] = []
    let total = 0
    for (let round = 0; round < ROUNDS; round++) {
      const startedAt = performance.now()
      total = (await db.transaction().execute((trx) => findMarket(trx, query))).total
      times.push(performance.now() - startedAt)
    }
    times.sort((a, b) => a - b)
    const [median, worst] = [times[ROUNDS / 2]!, times.at(-1)!]
    print(
      `${median.toFixed(1).padStart(8)} ms  ${worst.toFixed(1).padStart(8)} ms  ${String(total).padStart(6)}  ${JSON.stringify(params)}`,
    )
  }
}

const [databaseUrl, items = '1000000'] = process.argv.slice(2)
if (!databaseUrl) throw new Error('usage: market.bench.ts <url of an empty database> [items]')
const log = createLog({ name: 'bench', level: 'warn' })
const db = await prepareDatabase<Database>({ databaseUrl, log, storeId: 'bench' } as never, catalog.migrations)
const { filled } = await db
  .selectFrom('item')
  .select((eb) => eb.fn.countAll<number>().as('filled'))
  .executeTakeFirstOrThrow()
if (filled === 0) {
  await timed('filled', async () => {
    await sql`drop index item_text_grams`.execute(db)
    await fill(db, Number(items))
  })
  await timed('indexed', () =>
    db.connection().execute(async (connection) => {
      await sql`set statement_timeout = 0`.execute(connection)
      await sql`set maintenance_work_mem = '1GB'`.execute(connection)
      await sql`create index item_text_grams on item_text using gin (search_grams(text))`.execute(connection)
      await sql`vacuum analyze`.execute(connection)
    }),
  )
}
const { rows } = await sql<{ table: string; search: string }>`
  select pg_size_pretty(pg_table_size('item')) as table, pg_size_pretty(pg_relation_size('item_text_grams')) as search`.execute(
  db,
)
print(`table ${rows[0]!.table}, search index ${rows[0]!.search}; median, slowest of ${ROUNDS}, total`)
await measure(db)
await db.destroy()
