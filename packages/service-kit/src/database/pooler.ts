import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import { TIME_OUTS } from './database.ts'

/** `POSTGRES_URL` is a pooler, or `POSTGRES_POOLER_URL` is none that can be used. The message says what to change. */
export class UnsuitablePooler extends Error {}

const PROTOCOL_VIOLATION = '08P01'
const CONNECT_TIMEOUT_MS = 5_000

/**
 * Refuses a pooler where sessions are needed, for locks, LISTEN and migrations: it takes no options for a connection,
 * or loses them. Throws UnsuitablePooler.
 */
export async function refusePooler(db: Kysely<any>) {
  const { rows } = await sql<{ source: string }>`select source from pg_settings where name = 'statement_timeout'`
    .execute(db)
    .catch((error) => {
      if (error.code === PROTOCOL_VIOLATION && /startup parameter/.test(error.message)) throw notTheServer(error)
      throw error
    })
  if (rows[0]!.source !== 'client') throw notTheServer()
}

const notTheServer = (cause?: unknown) =>
  new UnsuitablePooler(
    'POSTGRES_URL: the time-outs of this connection are not in force, so it is a pooler (or the address has options of its own). Give the address of PostgreSQL itself here, and that of the pooler as POSTGRES_POOLER_URL.',
    { cause },
  )

/**
 * Writes the time-outs as defaults of this role in this database, for connections that a pooler opens. `db` has the
 * role of the pooler's connections, and is no pooler.
 */
export async function keepTimeOuts(db: Kysely<any>) {
  const { rows } = await sql<{ database: string; kept: string[] }>`
    select current_database() as database, coalesce((
      select setconfig from pg_db_role_setting
      where setrole = current_user::regrole
        and setdatabase = (select oid from pg_database where datname = current_database())
    ), '{}') as kept`.execute(db)
  const { database, kept } = rows[0]!
  const missing = Object.entries(TIME_OUTS).filter(([name, ms]) => !kept.includes(`${name}=${ms}`))
  if (missing.length === 0) return
  await db.transaction().execute(async (trx) => {
    // Two processes that write the same row at the same time fail.
    await sql`select pg_advisory_xact_lock(hashtextextended('time-outs', 0))`.execute(trx)
    for (const [name, ms] of missing)
      await sql`alter role current_user in database ${sql.id(database)} set ${sql.id(name)} = ${sql.lit(ms)}`.execute(
        trx,
      )
  })
}

/**
 * Refuses a pooler whose connections lack the time-outs of `keepTimeOuts`, or which does not track the names of
 * prepared statements: one that does prepares them under names of its own. Throws UnsuitablePooler, and the error of
 * the connection.
 */
export async function checkPooler(url: string) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
  client.on('error', () => {})
  const name = `nifty-${randomUUID()}`
  try {
    await client.connect()
    const { rows } = await client.query({
      name,
      text: `select exists (select from pg_prepared_statements where name = $1) as untracked, array(
        select name from pg_settings where name = any($2::text[]) and setting <> ($3::jsonb ->> name)
      ) as differing`,
      values: [name, Object.keys(TIME_OUTS), JSON.stringify(TIME_OUTS)],
    })
    const { untracked, differing } = rows[0] as { untracked: boolean; differing: string[] }
    if (untracked)
      throw new UnsuitablePooler(
        'POSTGRES_POOLER_URL: this is no pooler in transaction mode that tracks the names of prepared statements. PgBouncer does from 1.21 on, with max_prepared_statements above 0 and pool_mode = transaction.',
      )
    if (differing.length > 0)
      throw new UnsuitablePooler(
        `POSTGRES_POOLER_URL: a connection of the pooler has another ${differing.join(', ')} than this role has in this database. Let it open new connections (RECONNECT in PgBouncer's console), and set none there.`,
      )
  } finally {
    await client.end()
  }
}
