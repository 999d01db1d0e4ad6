import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type ServiceName, serviceNames } from '@nifty/api/services'
import { startPostgres } from '@nifty/dev-servers/postgres'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { databaseUrl } from '@nifty/service-kit/database/database'
import { closeServerSql, createRolesSql, databaseRoles } from '@nifty/service-kit/database/database-roles'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../repo-rules/tree.ts'

const PREFIX = 'shop'
const INSUFFICIENT_PRIVILEGE = '42501'
const PASSWORD = 'p@ss/word:1'

const folder = await temporaryFolder('roles')
let server: Awaited<ReturnType<typeof startPostgres>>

/** The server's address for one role; the password is apart, as in the chart. */
function serverUrl(role: string) {
  const url = new URL(server.url)
  url.username = role
  url.password = ''
  return url.href
}

function migrate(name: ServiceName, env: NodeJS.ProcessEnv) {
  const program = join(root, 'services', name, 'src/main.ts')
  const { PATH, NODE_COMPILE_CACHE } = process.env
  return promisify(execFile)(process.execPath, [program, 'migrate'], {
    env: { PATH, NODE_COMPILE_CACHE, STORE_ID: 'test', RESOURCE_PREFIX: PREFIX, ...env },
  })
}

/** As the chart's Job does: by the owner, for the role of the service. */
function migrateAsOwner(name: ServiceName) {
  const { owner, role } = databaseRoles(PREFIX, name)
  return migrate(name, {
    POSTGRES_OWNER_URL: serverUrl(owner),
    POSTGRES_OWNER_PASSWORD: PASSWORD,
    POSTGRES_URL: serverUrl(role),
    POSTGRES_PASSWORD: PASSWORD,
  })
}

const migrateAsService = (name: ServiceName) =>
  migrate(name, { POSTGRES_URL: serverUrl(databaseRoles(PREFIX, name).role), POSTGRES_PASSWORD: PASSWORD })

/** Runs statements of a service's role in one database and returns the SQL state of each failure. */
async function attempt(name: ServiceName, database: string, statements: string[] = []) {
  const { role } = databaseRoles(PREFIX, name)
  const client = new pg.Client({ connectionString: databaseUrl(serverUrl(role), database, PASSWORD) })
  const outcomes: Record<string, string | undefined> = {}
  const codeOf = (error: { code?: string }) => error.code ?? String(error)
  try {
    await client.connect()
    for (const text of statements) outcomes[text] = await client.query(text).then(() => 'allowed', codeOf)
  } catch (error) {
    outcomes.connect = codeOf(error as { code?: string })
  } finally {
    await client.end()
  }
  return outcomes
}

beforeAll(async () => {
  server = await startPostgres({ folder: join(folder, 'data'), durable: false })
  const admin = new pg.Client({ connectionString: server.url })
  await admin.connect()
  const lines = [closeServerSql, ...serviceNames.map((name) => createRolesSql(PREFIX, name))].join('\n').split('\n')
  for (const line of lines) await admin.query(line)
  for (const { owner, role } of serviceNames.map((name) => databaseRoles(PREFIX, name)))
    for (const each of [owner, role]) await admin.query(`alter role "${each}" password '${PASSWORD}'`)
  await admin.end()
}, 180_000)
afterAll(() => server?.stop())

test('a service whose database lacks migrations ends with a sentence: its role may not apply them', async () => {
  await expect(migrateAsService('notification')).rejects.toThrow(/permission denied for database|run `main.ts migrate`/)
  await migrateAsOwner('notification')
  await migrateAsService('notification')
})

describe('with the databases migrated by their owners', () => {
  beforeAll(() => Promise.all(serviceNames.map(migrateAsOwner)), 180_000)

  test.each(serviceNames)(
    "the role of %s connects to no other service's database, nor opens its own to one",
    async (name) => {
      const own = databaseRoles(PREFIX, name).database
      const others = serviceNames.filter((other) => other !== name).map((other) => databaseRoles(PREFIX, other))
      // PostgreSQL responds to a grant without effect with a warning only.
      for (const { role } of others) await attempt(name, own, [`grant connect on database "${own}" to "${role}"`])
      for (const database of [...others.map(({ database }) => database), 'postgres', 'template1'])
        expect(await attempt(name, database), database).toEqual({ connect: INSUFFICIENT_PRIVILEGE })
    },
  )

  test.each(serviceNames)('the role of %s reads and writes rows of its tables', async (name) => {
    const { database } = databaseRoles(PREFIX, name)
    const allowed = [
      "insert into inbox (message_id, name) values (uuidv7(), 'a.b.v1')",
      "update inbox set name = 'a.c.v1'",
      'delete from inbox',
      "insert into outbox (name, topic, key, data) values ('a.b.v1', 'a', 'k', '{}')",
      "insert into audit_log (operator, reason, action, subject) values ('ada', 'test', 'a', 's')",
      'select * from migration, store_identity',
    ]
    expect(await attempt(name, database, allowed)).toEqual(Object.fromEntries(allowed.map((text) => [text, 'allowed'])))
  })

  test.each(serviceNames)('the role of %s changes no structure, no history and no role', async (name) => {
    const { database, owner, role } = databaseRoles(PREFIX, name)
    const refused = [
      'create table mine (id integer)',
      'create temporary table mine (id integer)',
      'create schema mine',
      `create function mine() returns integer language sql as 'select 1'`,
      'create extension pg_trgm',
      'drop table inbox',
      'truncate outbox',
      'alter table outbox disable trigger user',
      'alter table audit_log disable trigger audit_log_append_only',
      'update audit_log set operator = operator',
      'delete from audit_log',
      "update store_identity set store_id = 'other'",
      'delete from migration',
      'set session_replication_role = replica',
      `set role "${owner}"`,
      `alter role "${role}" createdb`,
      'create role mine',
      'create database mine',
      `alter database "${database}" owner to "${role}"`,
      'select * from pg_authid',
      "select pg_read_file('postgresql.conf')",
      "copy inbox to program 'true'",
    ]
    expect(await attempt(name, database, refused)).toEqual(
      Object.fromEntries(refused.map((text) => [text, INSUFFICIENT_PRIVILEGE])),
    )
  })
})
