import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLocalTransport } from '../messaging/local-transport.ts'
import { prepareDatabase } from '../service/service.ts'
import { testDatabaseUrl } from '../testing/database.ts'
import { testLog } from '../testing/log.ts'
import { ensureDatabase } from './database.ts'

const noMigrations = `${import.meta.dirname}/../../test-migrations`

let databaseUrl: string
let client: pg.Client

beforeEach(async () => {
  databaseUrl = testDatabaseUrl(`store_${randomUUID().replaceAll('-', '')}`)
  await ensureDatabase(databaseUrl)
  client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
})
afterEach(() => client.end())

const prepare = async (storeId: string) =>
  (await prepareDatabase<any>({ databaseUrl, storeId, log: testLog }, noMigrations)).destroy()

const tables = async () =>
  (await client.query("select tablename from pg_tables where schemaname = 'public' order by 1")).rows.map(
    ({ tablename }) => tablename,
  )

test('a store prepares its own database again and again', async () => {
  await prepare('gallery')
  await prepare('gallery')
  expect((await client.query('select store_id from store_identity')).rows).toEqual([{ store_id: 'gallery' }])
})

test('a database of another store is refused before a migration is applied, with what to do', async () => {
  await prepare('gallery')
  await client.query("delete from migration where name = 'kit/002-audit-log.sql'; drop table audit_log")
  await expect(prepare('staging')).rejects.toThrow(
    /belongs to the store gallery\. This is the store staging .*RESOURCE_PREFIX/,
  )
  expect(await tables()).not.toContain('audit_log')
})

test('a database with tables of another program is refused and not changed', async () => {
  await client.query('create table invoices (id integer)')
  await expect(prepare('gallery')).rejects.toThrow('tables of another program')
  expect(await tables()).toEqual(['invoices'])
})

test('two stores that begin with the same database at the same time: one of them gets it', async () => {
  const outcomes = await Promise.allSettled([prepare('gallery'), prepare('staging')])
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

test('the local transport refuses the database of another store', async () => {
  const own = await createLocalTransport({ url: databaseUrl, storeId: 'gallery', log: testLog })
  await own.stop()
  await expect(createLocalTransport({ url: databaseUrl, storeId: 'staging', log: testLog })).rejects.toThrow(
    'belongs to the store gallery',
  )
})
