import { canStart } from '@nifty/dev-servers/can-start'
import { startPgbouncer } from '@nifty/dev-servers/pgbouncer'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { prepareDatabase } from '../service/service.ts'
import { createTestDatabase } from '../testing/database.ts'
import { testLog } from '../testing/log.ts'
import { openDatabase, TIME_OUTS } from './database.ts'
import { checkPooler, keepTimeOuts } from './pooler.ts'
import { inSnapshot } from './transaction.ts'

const noMigrations = `${import.meta.dirname}/../../test-migrations`
/** Fewer than the clients, so that these share them. */
const SERVER_CONNECTIONS = 3

describe.skipIf(!(await canStart('pgbouncer')))('behind a real PgBouncer in transaction mode', () => {
  let databaseUrl: string
  let ownerUrl: string

  beforeEach(async () => {
    const { url, serviceUrl } = await createTestDatabase(noMigrations)
    ownerUrl = url
    databaseUrl = serviceUrl
  })

  async function poolerWith(settings: Record<string, string | number> = {}) {
    const folder = await temporaryFolder('pgbouncer')
    const { url, stop } = await startPgbouncer({
      folder,
      serverUrl: databaseUrl,
      settings: { default_pool_size: SERVER_CONNECTIONS, ...settings },
    })
    onTestFinished(stop)
    return url
  }

  const prepare = (urls: { databaseUrl: string; poolerUrl?: string }) =>
    prepareDatabase<any>({ ...urls, storeId: 'test', log: testLog }, noMigrations)

  async function open(poolerUrl: string) {
    const db = await prepare({ databaseUrl, poolerUrl })
    onTestFinished(() => db.destroy())
    return db
  }

  async function asOwner(statement: string) {
    const client = new pg.Client({ connectionString: ownerUrl })
    await client.connect()
    await client.query(statement)
    await client.end()
  }

  const parallel = <Result>(count: number, act: (number: number) => Promise<Result>) =>
    Promise.all(Array.from({ length: count }, (_, number) => act(number)))

  test('every transaction on every connection has the time-outs, and one beyond them ends', async () => {
    const db = await open(await poolerWith())
    const found = await parallel(8, () =>
      db.transaction().execute(async (trx) => {
        await sql`select pg_sleep(0.05)`.execute(trx)
        const { rows } = await sql<any>`
          select pg_backend_pid() as pid, (select jsonb_object_agg(name, setting::int) from pg_settings
            where name = any(${Object.keys(TIME_OUTS)})) as settings`.execute(trx)
        return rows[0]
      }),
    )
    expect(new Set(found.map(({ pid }) => pid)).size).toBe(SERVER_CONNECTIONS)
    for (const { settings } of found) expect(settings).toEqual(TIME_OUTS)

    await asOwner('create table held (id integer); grant select on held to test_service')
    const holder = new pg.Client({ connectionString: ownerUrl })
    await holder.connect()
    await holder.query('begin; lock table held')
    await expect(sql`select from held`.execute(db)).rejects.toThrow('lock timeout')
    await holder.end()
  })

  test('statements that several processes repeat are prepared, and none is missing or there twice', async () => {
    const poolerUrl = await poolerWith()
    const processes = [await open(poolerUrl), await open(poolerUrl)]
    const repeated = (db: Kysely<any>, number: number) =>
      sql<{ sum: number }>`select ${number}::int + 1 as sum`.execute(db)
    await parallel(400, async (number) => {
      expect((await repeated(processes[number % 2]!, number)).rows).toEqual([{ sum: number + 1 }])
    })
    const { rows } = await sql<{ name: string }>`
      select name from pg_prepared_statements where statement like 'select $1::int + 1%'`.execute(processes[0]!)
    expect(rows).toEqual([{ name: expect.stringMatching(/^PGBOUNCER_/) }])
  })

  test('a migration that changes the columns of a statement is followed by all processes, twice', async () => {
    await asOwner(
      'create table fruit (id integer primary key); insert into fruit values (1); grant select on fruit to test_service',
    )
    const poolerUrl = await poolerWith()
    const processes = [await open(poolerUrl), await open(poolerUrl)]
    const columnsIn = async (trx: Kysely<any>) => {
      const { rows } = await sql<any>`select * from fruit where id = ${1}`.execute(trx)
      return Object.keys(rows[0])
    }
    const untilPrepared = (db: Kysely<any>) => parallel(60, () => inSnapshot(db, columnsIn))
    for (const column of ['colour', 'taste']) {
      for (const db of processes) await untilPrepared(db)
      await asOwner(`alter table fruit add column ${column} text`)
    }
    processes.push(await open(poolerUrl))
    for (const db of processes) {
      expect(new Set((await untilPrepared(db)).flat())).toEqual(new Set(['id', 'colour', 'taste']))
      // Nothing is repeated any more.
      await parallel(60, () => db.transaction().execute(columnsIn))
    }
  })

  test.each([
    ['which refuses options', {}],
    ['which ignores options', { ignore_startup_parameters: 'options' }],
  ])('the address of a pooler in place of the server, %s, is refused with what to do', async (_what, settings) => {
    await expect(prepare({ databaseUrl: await poolerWith(settings) })).rejects.toThrow(/POSTGRES_POOLER_URL/)
  })

  test.each([
    ['that does not track names', { max_prepared_statements: 0 }],
    ['in session mode', { pool_mode: 'session' }],
  ])('a pooler %s is refused with what it lacks', async (_what, settings) => {
    const poolerUrl = await poolerWith(settings)
    await expect(prepare({ databaseUrl, poolerUrl })).rejects.toThrow('max_prepared_statements')
  })

  test('a server without a pooler is refused as one', async () => {
    await expect(prepare({ databaseUrl, poolerUrl: databaseUrl })).rejects.toThrow('no pooler')
  })

  test('connections of a pooler from before the time-outs were kept are refused', async () => {
    const poolerUrl = await poolerWith({ default_pool_size: 1 })
    const before = new pg.Client({ connectionString: poolerUrl })
    await before.connect()
    await before.query('select 1')
    await expect(prepare({ databaseUrl, poolerUrl })).rejects.toThrow('statement_timeout')
    await before.end()
    const fresh = await poolerWith()
    const direct = openDatabase({ url: databaseUrl, log: testLog })
    await parallel(4, () => keepTimeOuts(direct))
    await direct.destroy()
    await checkPooler(fresh)
  })
})
