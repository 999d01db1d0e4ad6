import { readFile } from 'node:fs/promises'
import { CamelCasePlugin, Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import type { Log } from './logs.ts'

export type DatabaseOptions = { url: string; log: Log; maxConnections?: number }

/**
 * Opens a connection pool to a service's database. SQL is snake_case, TypeScript camelCase. Time-outs: 5 s per statement,
 * 2 s per lock, 15 s idle in a transaction, so that a stalled client does not hold locks.
 */
export function openDatabase<Tables>({ url, log, maxConnections = 8 }: DatabaseOptions): Kysely<Tables> {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: 5_000,
    options: '-c statement_timeout=5000 -c lock_timeout=2000 -c idle_in_transaction_session_timeout=15000',
    types: { getTypeParser },
  })
  // The pool replaces an idle connection that breaks; an error event without a listener would end the process.
  pool.on('error', (error) => log.warn({ err: error }, 'database: idle connection lost, the pool replaces it'))
  // If it breaks during a query, the query fails; the event itself needs a listener as well.
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
  pools.set(db, pool)
  return db
}

const pools = new WeakMap<Kysely<any>, pg.Pool>()

/** Connections in use, the maximum, and requests that wait for one. */
export function connectionsOf(db: Kysely<any>) {
  const pool = pools.get(db)
  if (!pool) throw new Error('not a database of openDatabase')
  return { used: pool.totalCount - pool.idleCount, max: pool.options.max, waiting: pool.waitingCount }
}

/** bigint columns are parsed as numbers: counts and cents fit; token ids and wei are text. */
const INT8 = 20
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  return oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')
}

/** Creates the database of a URL if it is missing. */
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
    // Another process created it in the meantime.
    if ((error as { code?: string }).code !== '42P04' && (error as { code?: string }).code !== '23505') throw error
  } finally {
    await client.end()
  }
}

/** An SQL file that runs once per database, in the order of the names. */
export type Migration = { name: string; file: string }

/** Applies pending migrations, each in a transaction. Safe to run concurrently: an advisory lock serialises it. */
export async function migrate(db: Kysely<any>, migrations: Migration[]) {
  await db.connection().execute(async (connection) => {
    // Replicas that start together wait for each other's migrations, however long they take.
    await sql`set lock_timeout = 0`.execute(connection)
    await sql`set statement_timeout = 0`.execute(connection)
    await sql`select pg_advisory_lock(4711)`.execute(connection)
    await sql`reset statement_timeout`.execute(connection)
    try {
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

/** SQL states and network errors after which the same request may succeed. */
const transientCodes = /^(08...|40001|40P01|53...|55P03|57014|57P0[123]|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT)$/

/** True if the database is busy or unreachable. Some errors of the driver have only a message, no code. */
export function isTransientDatabaseError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  if (typeof code === 'string') return transientCodes.test(code)
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
