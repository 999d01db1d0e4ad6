import { migrate, openDatabase } from '@nifty/service-kit/database/database'
import { migrationsOf } from '@nifty/service-kit/database/migrations'
import { createTestDatabase } from '@nifty/service-kit/testing/database'
import { testLog } from '@nifty/service-kit/testing/log'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import type { Database } from '../db.ts'
import { catalog } from '../service.ts'

// Without catalog's migrations: this folder has none.
const { url } = await createTestDatabase(import.meta.dirname)
const db = openDatabase<Database>({ url, log: testLog })
afterAll(() => db.destroy())

const migrations = migrationsOf(catalog.migrations)
const migrateUntil = (name: string) =>
  migrate(db, migrations.slice(0, migrations.findIndex((each) => each.name.includes(name)) + 1))

/** As the version before places adds it: `day` is that of its mint. */
async function addWork(number: number, day: number) {
  await sql`
    insert into item (id, token, contract, identifier, creator_id, owner_id, name, description, category, image, width,
      height, color, color_name, orientation, royalty_bps, minted_at, for_sale, shown_at)
    select md5(${number}::text)::uuid, '0x/' || ${number}, '0x', ${number}, md5('a')::uuid, md5('a')::uuid, 'Work', '', 'Art', '', 1, 1,
      '', 'black', 'portrait', 0, timestamptz '2026-01-01' + ${day}::int * interval '1 day', false, now()`.execute(db)
  await sql`
    insert into item_text (item_id, creator, name, text) values (md5(${number}::text)::uuid, 'a', 'work', 'a work')`.execute(
    db,
  )
}

test('works have places in the order of their mints, also those that are added while the migrations run', async () => {
  await migrateUntil('010-')
  await addWork(1, 3)
  await addWork(2, 1)
  await migrateUntil('011-')
  await addWork(3, 4)
  await migrateUntil('012-')
  await addWork(4, 6)
  await addWork(5, 5)
  await migrate(db, migrations)
  await addWork(6, 7)
  const works = await db
    .selectFrom('item')
    .innerJoin('itemText', 'itemId', 'id')
    .select(['identifier', 'place'])
    .orderBy('place')
    .execute()
  expect(works.map(({ identifier }) => identifier)).toEqual(['2', '1', '3', '5', '4', '6'])
  expect(new Set(works.map(({ place }) => place)).size).toBe(6)
})
