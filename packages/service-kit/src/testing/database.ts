import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import { type Migration, migrate, openDatabase } from '../database/database.ts'
import { grantRows } from '../database/database-roles.ts'
import { migrationsOf } from '../database/migrations.ts'
import { claimDatabase } from '../database/store-identity.ts'
import { testLog } from './log.ts'

/** The server that `packages/vitest.config.ts` started for this run. */
export function testServerUrl() {
  const url = process.env.TEST_POSTGRES_URL
  if (!url) throw new Error('Run tests by `pnpm test`: it starts the PostgreSQL that they need')
  return url
}

export function testDatabaseUrl(name: string) {
  const url = new URL(testServerUrl())
  url.pathname = `/${name}`
  return url.href
}

/** Role of every tested service: it reads and writes rows, as in production. */
const SERVICE_ROLE = 'test_service'

/**
 * An empty database of one's own, cloned from a template that is named after its migrations: `url` for the test, as
 * superuser, `serviceUrl` for the service, without the right to change tables.
 */
export async function createTestDatabase(migrationsFolder: string): Promise<{ url: string; serviceUrl: string }> {
  const migrations = migrationsOf(migrationsFolder)
  const template = `template_${fingerprint(migrations)}`
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const server = new pg.Client({ connectionString: testServerUrl() })
  await server.connect()
  try {
    await server.query('select pg_advisory_lock(1)')
    const { rowCount: hasRole } = await server.query('select from pg_roles where rolname = $1', [SERVICE_ROLE])
    if (!hasRole) await server.query(`create role ${SERVICE_ROLE} login password '${SERVICE_ROLE}'`)
    const { rowCount } = await server.query('select from pg_database where datname = $1', [template])
    if (!rowCount) {
      await server.query(`create database building_${template}`)
      const db = openDatabase<any>({ url: testDatabaseUrl(`building_${template}`), log: testLog })
      await migrate(db, migrations)
      await claimDatabase(db, 'test')
      await grantRows(db, SERVICE_ROLE)
      await db.destroy()
      await server.query(`alter database building_${template} rename to ${template}`)
    }
    await server.query(`create database ${name} template ${template}`)
  } finally {
    await server.end()
  }
  const serviceUrl = new URL(testDatabaseUrl(name))
  serviceUrl.username = serviceUrl.password = SERVICE_ROLE
  return { url: testDatabaseUrl(name), serviceUrl: serviceUrl.href }
}

const fingerprint = (migrations: Migration[]) => {
  const hash = createHash('sha256')
  for (const { name, file } of migrations) hash.update(name).update(readFileSync(file))
  return hash.digest('hex').slice(0, 16)
}

/** Refuses all connections to the database of a tested service, also those that exist, until the result is called. */
export async function takeDatabaseAway(db: Kysely<any>): Promise<() => Promise<void>> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
  const name = rows[0]!.name
  const onServer = async (...statements: string[]) => {
    const server = new pg.Client({ connectionString: testServerUrl() })
    await server.connect()
    for (const statement of statements) await server.query(statement)
    await server.end()
  }
  await onServer(
    `alter database ${name} with allow_connections false`,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
  )
  return () => onServer(`alter database ${name} with allow_connections true`)
}
