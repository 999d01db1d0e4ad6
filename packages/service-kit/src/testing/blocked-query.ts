import { type Kysely, sql } from 'kysely'
import { vi } from 'vitest'

/**
 * Resolves once `count` queries of this database wait for a lock. Race tests hold that lock themselves. `except` is an
 * ILIKE pattern of queries that do not count, such as those of a background worker.
 */
export async function waitForBlockedQuery(db: Kysely<any>, { count = 1, except = '' } = {}) {
  await vi.waitUntil(
    async () => {
      const { rows } = await sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query not ilike ${except}`.execute(db)
      return rows.length >= count
    },
    { timeout: 30_000, interval: 10 },
  )
}
