import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import { beforeEach, expect, test, vi } from 'vitest'
import { testDatabaseUrl } from '../testing/database.ts'
import { testLog } from '../testing/log.ts'
import { ensureDatabase, isTransientDatabaseError, migrate, openDatabase } from './database.ts'

const MIGRATION_LOCK = 4711
/** In place of the limits of 5 s per statement and 2 s per lock, so that the tests pass them sooner. Both in ms. */
const LIMITS = { statement_timeout: 400, lock_timeout: 200 }
const LONGER_THAN_BOTH = '1 second'

let db: Kysely<any>
let url: string
const folder = await temporaryFolder('migrations')

beforeEach(async () => {
  const limited = new URL(testDatabaseUrl(`migrate_${randomUUID().replaceAll('-', '')}`))
  await ensureDatabase(limited.href)
  url = limited.href
  const options = Object.entries(LIMITS).map(([name, ms]) => `-c ${name}=${ms}`)
  limited.searchParams.set('options', options.join(' '))
  db = openDatabase({ url: limited.href, log: testLog })
  return () => db.destroy()
})

async function migrationOf(name: string, text: string) {
  const file = join(folder, name)
  await writeFile(file, text)
  return { name, file }
}

const tables = async () =>
  (await sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(db)).rows
    .map(({ name }) => name)
    .sort()

const setting = async (name: keyof typeof LIMITS) =>
  (await sql<{ value: string }>`select current_setting(${name}) as value`.execute(db)).rows[0]!.value

test('the limits of these tests are those of the sessions', async () => {
  expect(await setting('statement_timeout')).toBe('400ms')
  await expect(sql`select pg_sleep(60)`.execute(db)).rejects.toThrow('statement timeout')
})

test('a migration of another process is waited for beyond the limits of statements and locks', async () => {
  const other = new pg.Client({ connectionString: url })
  await other.connect()
  await other.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
  const migrating = migrate(db, [await migrationOf('001.sql', 'create table made_late (id integer)')])

  const waiting = vi.waitUntil(
    async () =>
      (
        await other.query(
          `select from pg_stat_activity where datname = current_database() and query like '%pg_try_advisory_lock%'
             and pid <> pg_backend_pid() and clock_timestamp() - backend_start > $1::interval`,
          [LONGER_THAN_BOTH],
        )
      ).rowCount,
    { timeout: 30_000 },
  )
  await Promise.race([waiting, migrating])
  expect(await tables()).toEqual([])
  await other.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK])
  await migrating

  expect(await tables()).toEqual(['made_late', 'migration'])
  await other.end()
})

test('a migration itself has the limit of a statement, and leaves nothing when it exceeds it', async () => {
  const first = await migrationOf('001.sql', 'create table kept (id integer)')
  const endless = await migrationOf('002.sql', 'create table begun (id integer); select pg_sleep(60)')
  await expect(migrate(db, [first, endless])).rejects.toThrow('statement timeout')

  expect(await tables()).toEqual(['kept', 'migration'])
  expect((await sql`select name from migration`.execute(db)).rows).toEqual([{ name: '001.sql' }])
})

test('a migration that cannot have a lock lets others pass and tries again', async () => {
  await migrate(db, [await migrationOf('001.sql', 'create table busy (id integer)')])
  const other = new pg.Client({ connectionString: url })
  await other.connect()
  await other.query('begin; lock table busy')
  const migrating = migrate(db, [await migrationOf('002.sql', 'alter table busy add column late integer')])
  const hasGivenUp = async () => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and state = 'idle' and query = 'rollback'`.execute(
      db,
    )
    return rows.length > 0
  }
  await vi.waitUntil(hasGivenUp, { timeout: 30_000 })
  await other.query('commit')
  await migrating
  expect((await sql`select late from busy`.execute(db)).rows).toEqual([])
  await other.end()
})

test('an index is built while rows are written, and again after a process that was killed in the middle', async () => {
  await migrate(db, [await migrationOf('001.sql', 'create table filled (id integer)')])
  const index = '-- outside a transaction\ndrop index concurrently if exists filled_id;\n\n'
  const building = await migrationOf('002.sql', `${index}create unique index concurrently filled_id on filled (id);\n`)
  const writer = new pg.Client({ connectionString: url })
  await writer.connect()
  await writer.query('begin; insert into filled values (1)')
  const migrating = migrate(db, [building])
  const other = new pg.Client({ connectionString: url })
  await other.connect()
  const builder = () =>
    other.query(
      `select pid from pg_stat_activity where datname = current_database() and query like 'create unique index%'
         and wait_event_type = 'Lock' and clock_timestamp() - query_start > $1::interval`,
      [LONGER_THAN_BOTH],
    )
  await vi.waitUntil(async () => (await builder()).rowCount, { timeout: 30_000 })
  await other.query('insert into filled values (2)')
  const [{ pid }] = (await builder()).rows
  await Promise.all([expect(migrating).rejects.toThrow(), other.query('select pg_terminate_backend($1)', [pid])])
  await writer.query('commit')

  await migrate(db, [building])
  const { rows } = await other.query("select indisvalid from pg_index where indexrelid = 'filled_id'::regclass")
  expect(rows).toEqual([{ indisvalid: true }])
  await writer.end()
  await other.end()
})

test('a migration in batches keeps those before a killed process', async () => {
  const rows = 'create table filled (id integer, done boolean); insert into filled select generate_series(1, 10)'
  await migrate(db, [await migrationOf('001.sql', rows)])
  const batches = (last: number) => `-- outside a transaction
do $$
begin
  for batch in 1..${last} loop
    update filled set done = true where id = batch;
    commit;
  end loop;
  ${last < 10 ? "raise exception 'killed';" : ''}
end $$;
`
  await expect(migrate(db, [await migrationOf('002.sql', batches(4))])).rejects.toThrow('killed')
  const done = async () => (await sql`select from filled where done`.execute(db)).rows.length
  expect(await done()).toBe(4)
  await migrate(db, [await migrationOf('002.sql', batches(10))])
  expect(await done()).toBe(10)
})

test('a connection that has migrated has its limits again', async () => {
  await migrate(db, [])
  expect([await setting('statement_timeout'), await setting('lock_timeout')]).toEqual(['400ms', '200ms'])
})

const states =
  '08006 25006 25P03 28P01 28000 3D000 40001 40003 40P01 53100 53300 55P03 55006 57014 57P01 57P05 58000 58030'
const ofNetwork =
  'EAI_AGAIN EAI_FAIL ENOTFOUND EHOSTUNREACH EHOSTDOWN ENETUNREACH ENETDOWN ECONNREFUSED ECONNRESET ECONNABORTED EPIPE'

test.each(`${states} ${ofNetwork} EADDRNOTAVAIL EPROTO ETIMEDOUT EMFILE`.split(' '))(
  'after the error %s the same request may succeed',
  (code) => {
    expect(isTransientDatabaseError(Object.assign(new Error('failed'), { code }))).toBe(true)
  },
)

test.each(['22P02', '23505', '23514', '25P02', '42601', '42P01', '42501', 'ENOENT', 'EACCES', 'ERR_INVALID_ARG_TYPE'])(
  'the error %s is a bug',
  (code) => {
    expect(isTransientDatabaseError(Object.assign(new Error('failed'), { code }))).toBe(false)
  },
)

test('a database that refuses writes and a host that has no address are unavailable', async () => {
  await sql`create table row (id integer)`.execute(db)
  const refused = db.transaction().execute(async (trx) => {
    await sql`set transaction read only`.execute(trx)
    await sql`insert into row values (1)`.execute(trx)
  })
  const lost = openDatabase({ url: 'postgres://nobody@database.invalid/none', log: testLog })
  const errors = await Promise.all([refused, sql`select 1`.execute(lost)].map((query) => query.catch((error) => error)))
  await lost.destroy()
  expect(errors.map(isTransientDatabaseError)).toEqual([true, true])
})
