import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '../database/database.ts'
import { createTestDatabase } from '../testing/database.ts'
import { testLog } from '../testing/log.ts'
import { measureBacklog } from './backlog.ts'

const { url } = await createTestDatabase(`${import.meta.dirname}/../../test-migrations`)
const db = openDatabase({ url, log: testLog })
afterAll(() => db.destroy())
await sql`create table job (queued_at timestamptz not null, done boolean not null)`.execute(db)
const waiting = { table: 'job', since: 'queuedAt', where: sql`not done` }

test('an empty backlog has no rows and no age', async () => {
  expect(await measureBacklog(db, waiting)).toEqual({ count: 0, oldestSeconds: 0 })
})

test('a backlog counts the rows that wait and the age of the oldest, also when counting stops at a limit', async () => {
  await sql`insert into job select now() - make_interval(mins => n), n > 3 from generate_series(1, 9) n`.execute(db)

  const all = await measureBacklog(db, waiting)
  const limited = await measureBacklog(db, { ...waiting, limit: 2 })

  expect(all.count).toBe(3)
  expect(all.oldestSeconds).toBeGreaterThanOrEqual(180)
  expect(all.oldestSeconds).toBeLessThan(240)
  expect(limited.count).toBe(2)
  expect(limited.oldestSeconds).toBeGreaterThanOrEqual(180)
})
