import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { CamelCasePlugin, Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import type { Log } from '../base/logs.ts'
import { preparingClient } from './prepared-statements.ts'

export type DatabaseOptions = {
  /** Of the server: sessions are one's own. */
  url: string
  /** Of a pooler in transaction mode, which is used in place of the server; see `pooler.ts`. */
  poolerUrl?: string
  log: Log
  maxConnections?: number
}

/** A new connection and its first plans take 20 ms of PostgreSQL's CPU. */
const IDLE_CONNECTION_MS = 300_000
/** Idle connections are probed, so that one whose server is gone without a word is closed and not handed out. */
const KEEP_ALIVE_MS = 10_000

/** Of every transaction, ms: so that a stalled client does not hold locks. */
export const TIME_OUTS = {
  statement_timeout: 5_000,
  lock_timeout: 2_000,
  idle_in_transaction_session_timeout: 15_000,
}
const timeOutOptions = Object.entries(TIME_OUTS)
  .map(([name, ms]) => `-c ${name}=${ms}`)
  .join(' ')

/**
 * Opens a connection pool to a service's database. SQL is snake_case, TypeScript camelCase. The connections have
 * `TIME_OUTS`; those of a pooler, which takes no options, have them from their role (`keepTimeOuts`).
 */
export function openDatabase<Tables>({ url, poolerUrl, log, maxConnections = 8 }: DatabaseOptions): Kysely<Tables> {
  const pool = new pg.Pool({
    connectionString: poolerUrl ?? url,
    max: maxConnections,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    connectionTimeoutMillis: 5_000,
    options: poolerUrl ? undefined : timeOutOptions,
    types: { getTypeParser },
    Client: preparingClient(),
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

const DATABASE_MISSING = '3D000'
const CREATED_BY_ANOTHER_PROCESS = ['42P04', '23505']

/**
 * Creates the database of a URL if it is missing, which `use` finds out: it is the first use of a connection, and is
 * repeated on the new database. Connects to another database of the server only in that case: the role of a service
 * may connect to its own database alone.
 */
export async function ensureDatabase(url: string, use = () => connectOnce(url)): Promise<void> {
  try {
    return await use()
  } catch (error) {
    if ((error as { code?: string }).code !== DATABASE_MISSING) throw error
  }
  await createDatabase(url)
  await use()
}

async function connectOnce(url: string) {
  const database = new pg.Client({ connectionString: url })
  try {
    await database.connect()
  } finally {
    await database.end()
  }
}

async function createDatabase(url: string) {
  const server = new pg.Client({ connectionString: databaseUrl(url, 'postgres') })
  await server.connect()
  try {
    await server.query(`create database ${pg.escapeIdentifier(new URL(url).pathname.slice(1))}`)
  } catch (error) {
    if (!CREATED_BY_ANOTHER_PROCESS.includes(String((error as { code?: string }).code))) throw error
  } finally {
    await server.end()
  }
}

/** For `where(column, '=', anyOf(values))`: unlike `in`, one statement for lists of every length. */
export const anyOf = <Value>(values: readonly Value[]) => sql<Value>`any(${values})`

/**
 * An SQL file that runs once per database, in the order of the names: in a transaction, with the limits of a session
 * unless it sets others. One that begins with `-- outside a transaction` is for `create index concurrently`, and for
 * `do` blocks that commit after each batch of rows. Its statements stand apart by an empty line, have no limit of time,
 * and can run again after their process has been killed: an index is dropped first, if it exists.
 */
export type Migration = { name: string; file: string }

/**
 * Applies pending migrations. Safe to run at the same time: an advisory lock serialises it. Where none is pending, the
 * right to read suffices. Throws the error of PostgreSQL.
 */
export async function migrate(db: Kysely<any>, migrations: Migration[]) {
  if ((await pendingOf(db, migrations)).length === 0) return
  await withMigrationLock(db, async (connection) => {
    await sql`create table if not exists migration (name text primary key, ran_at timestamptz not null default now())`.execute(
      connection,
    )
    for (const migration of await pendingOf(connection, migrations)) await apply(connection, migration)
  })
}

async function apply(connection: Kysely<any>, { name, file }: Migration) {
  const text = await readFile(file, 'utf8')
  const record = (db: Kysely<any>) => sql`insert into migration (name) values (${name})`.execute(db)
  if (text.startsWith('-- outside a transaction\n')) {
    await applyOutside(connection, text)
    await record(connection)
  } else
    await withLocks(() =>
      connection.transaction().execute(async (trx) => {
        await sql.raw(text).execute(trx)
        await record(trx)
      }),
    )
}

/**
 * Waits as long as it takes: for the transactions that are open when an index is built, too. Nobody waits for what
 * waits here, because a concurrent statement lets rows be written.
 */
async function applyOutside(connection: Kysely<any>, text: string) {
  await sql`set statement_timeout = 0`.execute(connection)
  await sql`set lock_timeout = 0`.execute(connection)
  try {
    for (const statement of text.split(/;\n\n/)) await sql.raw(statement).execute(connection)
  } finally {
    await sql`reset statement_timeout`.execute(connection)
    await sql`reset lock_timeout`.execute(connection)
  }
}

const LOCK_NOT_AVAILABLE = '55P03'
const LOCK_ATTEMPTS = 30
const LOCK_PAUSE_MS = 1_000

/** What waits for a lock lets all wait that come after it: so it gives up soon, and tries again after their turn. */
async function withLocks(change: () => Promise<unknown>) {
  for (let attempt = 1; ; attempt++)
    try {
      await change()
      return
    } catch (error) {
      if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE || attempt === LOCK_ATTEMPTS) throw error
      await sleep(LOCK_PAUSE_MS)
    }
}

const MIGRATION_LOCK = 4711

/**
 * Serialises what changes the structure or the rights of a database. Replicas that start together wait for each other,
 * however long it takes: by asking again, because an index is built when no older statement runs, a waiting one
 * included.
 */
export async function withMigrationLock<Result>(
  db: Kysely<any>,
  change: (connection: Kysely<any>) => Promise<Result>,
): Promise<Result> {
  return db.connection().execute(async (connection) => {
    const isLocked = async () => {
      const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_lock(${MIGRATION_LOCK}) as locked`.execute(
        connection,
      )
      return rows[0]!.locked
    }
    while (!(await isLocked())) await sleep(LOCK_PAUSE_MS)
    try {
      return await change(connection)
    } finally {
      await sql`select pg_advisory_unlock(${MIGRATION_LOCK})`.execute(connection)
    }
  })
}

async function pendingOf(db: Kysely<any>, migrations: Migration[]): Promise<Migration[]> {
  const { rows: found } =
    await sql`select from pg_tables where schemaname = 'public' and tablename = 'migration'`.execute(db)
  if (found.length === 0) return migrations
  const { rows } = await sql<{ name: string }>`select name from migration`.execute(db)
  const done = new Set(rows.map(({ name }) => name))
  return migrations.filter(({ name }) => !done.has(name))
}

const INSUFFICIENT_PRIVILEGE = '42501'

/** True if the role lacks the right to do what it tried. */
export const isRefusedByRights = (error: unknown) => (error as { code?: unknown }).code === INSUFFICIENT_PRIVILEGE

/**
 * SQL states after which the same request may succeed, by PostgreSQL's classes: connection, read-only or idle
 * transaction, authorisation (a password is being changed), missing database (it is being restored), rollback,
 * resources, object state, operator intervention, system error.
 */
const transientStates = /^(08...|25006|25P0[34]|28...|3D000|40...|53...|55...|57...|58...)$/

/** Errors of sockets, hosts and DNS: all of them say that the server is not reached at the moment. */
const networkErrors = /^(E(CONN|HOST|NET|ADDR|AI_)[A-Z_]*|ENOTFOUND|EPIPE|EPROTO|ETIMEDOUT|EMFILE|ENFILE|ENOBUFS)$/

/**
 * True if the database is busy, read-only, unreachable or was just migrated. Some errors of the driver have only a
 * message, no code.
 */
export function isTransientDatabaseError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  if (typeof code === 'string') return transientStates.test(code) || networkErrors.test(code)
  return /^(Connection terminated|timeout exceeded when trying to connect|Client (has encountered a connection error|was closed))/.test(
    error.message,
  )
}

/** The address of one database on the server that `serverUrl` names. A `password` replaces the one of the address. */
export function databaseUrl(serverUrl: string, name: string, password?: string) {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  if (password) url.password = encodeURIComponent(password)
  return url.href
}
