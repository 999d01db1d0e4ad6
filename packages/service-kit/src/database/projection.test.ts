import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { waitForBlockedQuery } from '../testing/blocked-query.ts'
import { createTestDatabase } from '../testing/database.ts'
import { testLog } from '../testing/log.ts'
import { openDatabase } from './database.ts'
import { upsertNewer } from './projection.ts'

type Copy = { ownerId: string; version: number; firstName: string; deletedAt: Date | null }

const { url } = await createTestDatabase(`${import.meta.dirname}/../../test-migrations`)
const db = openDatabase<{ copy: Copy }>({ url, log: testLog })
afterAll(() => db.destroy())
await sql`create table copy (
  owner_id text primary key, version integer not null, first_name text not null, deleted_at timestamptz)`.execute(db)
beforeEach(() => sql`truncate copy`.execute(db))

const store = (version: number, firstName: string) =>
  db
    .transaction()
    .execute((trx) =>
      upsertNewer<Copy>(trx, { table: 'copy', key: 'ownerId', row: { ownerId: 'ada', version, firstName } }),
    )
const stored = () => db.selectFrom('copy').selectAll().executeTakeFirst()

test('a newer version replaces the stored row and returns what was there before', async () => {
  expect(await store(1, 'Ada')).toEqual({ before: null })
  expect(await store(3, 'Augusta')).toEqual({
    before: { ownerId: 'ada', version: 1, firstName: 'Ada', deletedAt: null },
  })
  expect(await stored()).toMatchObject({ version: 3, firstName: 'Augusta' })
})

test('an older or equal version changes nothing', async () => {
  await store(3, 'Augusta')
  expect(await store(3, 'Again')).toBeUndefined()
  expect(await store(2, 'Ada')).toBeUndefined()
  expect(await stored()).toMatchObject({ version: 3, firstName: 'Augusta' })
})

test('no version restores a row that was marked as deleted', async () => {
  await store(1, 'Ada')
  await db.updateTable('copy').set({ firstName: '', deletedAt: new Date() }).execute()
  expect(await store(2, 'Augusta')).toBeUndefined()
  expect(await stored()).toMatchObject({ version: 1, firstName: '' })
})

test('of two first versions at once the newer one is stored, whichever commits first', async () => {
  const committed = Promise.withResolvers<void>()
  const first = db.transaction().execute(async (trx) => {
    await upsertNewer<Copy>(trx, {
      table: 'copy',
      key: 'ownerId',
      row: { ownerId: 'ada', version: 2, firstName: 'New' },
    })
    await committed.promise
  })
  await vi.waitUntil(async () => {
    const { rows } =
      await sql`select from pg_locks where relation = 'copy'::regclass and mode = 'RowExclusiveLock'`.execute(db)
    return rows.length > 0
  })
  const second = store(1, 'Old')
  await waitForBlockedQuery(db)
  committed.resolve()
  await first
  expect(await second).toBeUndefined()
  expect(await stored()).toMatchObject({ version: 2, firstName: 'New' })
})
