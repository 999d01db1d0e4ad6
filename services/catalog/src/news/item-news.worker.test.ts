import { MAX_NEWS_ACCOUNTS } from '@nifty/events/shapes'
import { startWorker } from '@nifty/service-kit/base/worker'
import { openDatabase } from '@nifty/service-kit/database/database'
import { workersOf } from '@nifty/service-kit/jobs/jobs'
import { createTestDatabase } from '@nifty/service-kit/testing/database'
import { testLog } from '@nifty/service-kit/testing/log'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import type { Database } from '../db.ts'
import { jobs } from '../jobs.ts'
import { catalog } from '../service.ts'

const { url } = await createTestDatabase(catalog.migrations)
const db = openDatabase<Database>({ url, log: testLog })
afterAll(() => db.destroy())

test('all portions of all news are published at once, and do not wait for the next interval', async () => {
  const followers = 2 * MAX_NEWS_ACCOUNTS + 1
  await sql`
    insert into item (id, token, contract, identifier, creator_id, owner_id, name, description, category, image, width,
      height, color, color_name, orientation, royalty_bps, minted_at, price_cents, for_sale, shown_at)
    select md5(n::text)::uuid, '0x/' || n, '0x', n::text, md5('a')::uuid, md5('a')::uuid, 'Work ' || n, '', 'Art', '',
      1, 1, '', 'black', 'portrait', 0, now(), 100, true, now()
    from generate_series(1, 2) n`.execute(db)
  await sql`insert into favourite (user_id, item_id)
    select gen_random_uuid(), item.id from item, generate_series(1, ${followers}::int)`.execute(db)
  await sql`insert into item_news (item_id, what, except_ids, at) select id, 'available', '{}', now() from item`.execute(
    db,
  )

  const worker = startWorker({ ...workersOf(jobs, { db })[0]!, everyMs: 3_600_000 }, testLog)
  await expect.poll(() => db.selectFrom('itemNews').select('id').execute(), { timeout: 10_000 }).toEqual([])
  const events = await db.selectFrom('outbox').select('data').execute()
  const accounts = events.flatMap(({ data }) => (data as { userIds: string[] }).userIds)
  expect(events).toHaveLength(6)
  expect(new Set(accounts).size).toBe(2 * followers)
  await worker.stop()
})
