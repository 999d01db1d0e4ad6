import { readFile } from 'node:fs/promises'
import { CamelCasePlugin, Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import type { Log } from './logs.ts'

export type DatabaseOptions = { url: string; log: Log; maxConnections?: number }

/**
 * Opens a database for one service. SQL is snake_case, TypeScript camelCase. A stalled client cannot hold locks, and
 * nothing waits for ever (reliability-and-security O4).
 */
export function openDatabase<Tables>({ url, log, maxConnections = 8 }: DatabaseOptions): Kysely<Tables> {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: 5_000,
    options: '-c statement_timeout=5000 -c lock_timeout=2000 -c idle_in_transaction_session_timeout=15000',
    types: { getTypeParser },
  })
  // A connection that breaks while idle is replaced by the pool; without a listener it would end the process.
  pool.on('error', (error) => log.warn({ err: error }, 'idle database connection lost'))
  // The same for one that breaks while it is in use: whoever uses it is told by its query.
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
  pools.set(db, pool)
  return db
}

const pools = new WeakMap<Kysely<any>, pg.Pool>()

/** How many connections of `openDatabase`'s are held, how many there may be, and how many requests wait for one. */
export function connectionsOf(db: Kysely<any>) {
  const pool = pools.get(db)
  if (!pool) throw new Error('this database was not opened here')
  return { used: pool.totalCount - pool.idleCount, max: pool.options.max, awaited: pool.waitingCount }
}

/** Counts and cents fit into a JavaScript number; identifiers of tokens are text, so nothing here loses digits. */
const INT8 = 20
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  return oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')
}

/** Creates the database that a url names, if the server has none of that name. */
export async function ensureDatabase(url: string) {
  const name = new URL(url).pathname.slice(1)
  const server = new URL(url)
  server.pathname = '/postgres'
  const client = new pg.Client({ connectionString: server.href })
  await client.connect()
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (!rowCount) await client.query(`create database ${pg.escapeIdentifier(name)}`)
  } catch (error) {
    // Two processes may start at once.
    if ((error as { code?: string }).code !== '42P04' && (error as { code?: string }).code !== '23505') throw error
  } finally {
    await client.end()
  }
}

/** A file of SQL that is run once per database, in the order of its name. */
export type Migration = { name: string; file: string }

/** Brings a database up to date. Safe to run by several processes at once; a file that ran is never run again. */
export async function migrate(db: Kysely<any>, migrations: Migration[]) {
  await db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(4711)`.execute(connection)
    try {
      await sql`set lock_timeout = 0`.execute(connection)
      await sql`create table if not exists migration (name text primary key, ran_at timestamptz not null default now())`.execute(
        connection,
      )
      const { rows } = await sql<{ name: string }>`select name from migration`.execute(connection)
      const done = new Set(rows.map(({ name }) => name))
      for (const { name, file } of migrations) {
        if (done.has(name)) continue
        const text = await readFile(file, 'utf8')
        await connection.transaction().execute(async (trx) => {
          await sql.raw(text).execute(trx)
          await sql`insert into migration (name) values (${name})`.execute(trx)
        })
      }
    } finally {
      await sql`select pg_advisory_unlock(4711)`.execute(connection)
      await sql`reset lock_timeout`.execute(connection)
    }
  })
}

/** SQL states and network codes of a database that cannot answer now: nothing was decided, the same request may succeed. */
const passing = /^(08...|40001|40P01|53...|55P03|57014|57P0[123]|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT)$/

/** True when the database was too busy or not there. The driver gives some of these errors no code, only words. */
export function isDatabaseTrouble(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  if (typeof code === 'string') return passing.test(code)
  return /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/.test(
    error.message,
  )
}

/** The address of one database on the server that `serverUrl` names. */
export function databaseUrl(serverUrl: string, name: string) {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}
