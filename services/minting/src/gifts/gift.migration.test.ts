import { randomUUID } from 'node:crypto'
import { migrate, openDatabase } from '@nifty/service-kit/database/database'
import { migrationsOf } from '@nifty/service-kit/database/migrations'
import { createTestDatabase } from '@nifty/service-kit/testing/database'
import { testLog } from '@nifty/service-kit/testing/log'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import type { Database } from '../db.ts'
import { minting } from '../service.ts'

// Without minting's migrations: this folder has none.
const { url } = await createTestDatabase(import.meta.dirname)
const db = openDatabase<Database>({ url, log: testLog })
afterAll(() => db.destroy())

const migrations = migrationsOf(minting.migrations)
const migrateUntil = (name: string) =>
  migrate(db, migrations.slice(0, migrations.findIndex((each) => each.name.startsWith(name)) + 1))

/** What 010 made before it was changed. */
const asFormerly = `
  create unique index one_gift_per_token on delivery (token) where kind = 'gift' and state in ('waiting', 'signed');
  drop index gift_to_offer;
  alter table gift alter column id set default gen_random_uuid(), add column claims int not null default 0,
    drop column offer_from, drop column refunded, drop constraint gift_state_check,
    add constraint gift_state_check check (state in ('bought', 'offered', 'claimed', 'taken_back', 'lapsed', 'ended'));
  alter table gift_link drop column recipient;`

/** Names of columns and indexes. */
async function structure(of: typeof db) {
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'
    union all select indexdef from pg_indexes where schemaname = 'public'`.execute(of)
  return rows.map(({ name }) => name)
}

test('a store in which the gifts of the version before are has what a new one has', async () => {
  await migrateUntil('010-')
  await sql.raw(asFormerly).execute(db)
  const [giftId, giverId] = [randomUUID(), randomUUID()]
  await sql`
    insert into gift (id, giver_id, token, name, email, text, offered_at, until)
    values (${giftId}, ${giverId}, '0x/1', 'Dusk', 'ann@people.test', '', now(), now())`.execute(db)
  const addFormerLink = (number: number) =>
    sql`insert into gift_link (token_hash, gift_id, number) values (${`hash ${number}`}, ${giftId}, ${number})`.execute(
      db,
    )
  await addFormerLink(1)

  await migrate(db, migrations)

  const fresh = await createTestDatabase(minting.migrations)
  const newStore = openDatabase<Database>({ url: fresh.url, log: testLog })
  expect(await structure(db)).toEqual(expect.arrayContaining(await structure(newStore)))
  await newStore.destroy()
  // As a process of that version does until it ends.
  await addFormerLink(2)
  await db.updateTable('gift').set({ state: 'refunded' }).where('id', '=', giftId).execute()
  expect(await db.selectFrom('giftLink').select('number').where('giftId', '=', giftId).execute()).toHaveLength(2)
})
