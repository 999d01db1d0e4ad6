import { type Kysely, type RawBuilder, sql } from 'kysely'

/** Number of rows that wait, and the age of the oldest in seconds (0 when none waits). */
export type Backlog = { count: number; oldestSeconds: number }

/**
 * Measures the rows of `table` that match `where`, aged by their column `since`. With `limit`, counting stops there and
 * the query costs no more on a table of any size, provided that an index on `since` covers `where`.
 */
export async function measureBacklog(
  db: Kysely<any>,
  {
    table,
    since,
    where = sql`true`,
    limit,
  }: { table: string; since: string; where?: RawBuilder<unknown>; limit?: number },
): Promise<Backlog> {
  const oldestFirst = limit === undefined ? sql`` : sql`order by ${sql.ref(since)} limit ${limit}`
  const { rows } = await sql<Backlog>`
    select count(*) as count,
      coalesce(extract(epoch from clock_timestamp() - min(since)), 0)::float8 as oldest_seconds
    from (select ${sql.ref(since)} as since from ${sql.table(table)} where ${where} ${oldestFirst}) waiting`.execute(db)
  return rows[0]!
}
