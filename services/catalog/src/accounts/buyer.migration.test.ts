import { randomUUID } from 'node:crypto'
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

test('a store with sales gets buyers and former prices when it is updated', async () => {
  await migrateUntil('018-')
  const [sellerId, buyerId, itemId] = [randomUUID(), randomUUID(), randomUUID()]
  await sql`insert into creator (user_id, works, sales) values (${sellerId}, 1, 1)`.execute(db)
  await sql`
    insert into item (id, token, contract, identifier, creator_id, owner_id, name, description, category, image, width,
      height, color, color_name, orientation, royalty_bps, minted_at, for_sale, shown_at)
    values (${itemId}, '0x/1', '0x', 1, ${sellerId}, ${buyerId}, 'Dusk', '', 'Art', '', 1, 1, '', 'black', 'portrait', 0,
      now(), false, now())`.execute(db)
  await sql`
    insert into item_history (item_id, what, happened_at, user_id, price_cents)
    values (${itemId}, 'sold', now(), ${buyerId}, 12000)`.execute(db)
  const lines = JSON.stringify([{ itemId, sellerId }])
  await sql`
    insert into reservation (order_id, buyer_id, lines) values (${randomUUID()}, ${buyerId}, ${lines}::jsonb)`.execute(
    db,
  )

  await migrate(db, migrations)

  expect(await db.selectFrom('creator').select(['userId', 'buyers']).execute()).toEqual([
    { userId: sellerId, buyers: 1 },
  ])
  const prices = db.selectFrom('dailyPrice').select(['itemId', 'lowestCents', 'highestCents'])
  expect(await prices.execute()).toEqual([{ itemId, lowestCents: 12_000, highestCents: 12_000 }])
})
