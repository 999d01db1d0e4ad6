import { existsSync } from 'node:fs'
import { chown, mkdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { serviceNames } from '@nifty/api/services'
import { installFormerPostgres } from '@nifty/dev-servers/former-postgres'
import { majorOf, postgresVersion, startPostgres, stopOrphan, UPGRADED } from '@nifty/dev-servers/postgres'
import type { Log } from '@nifty/service-kit/base/logs'
import {
  databaseUrl,
  ensureDatabase,
  type Migration,
  migrate,
  openDatabase,
} from '@nifty/service-kit/database/database'
import { migrationsOf } from '@nifty/service-kit/database/migrations'
import { localTransportMigrations } from '@nifty/service-kit/messaging/local-transport'
import { openDataDir } from '@nifty/testkit/data-dir'
import pg from 'pg'
import { implementations } from '../store/store.ts'
import { copyRows } from './copy-database.ts'

export type Upgraded = { from: number; to: number; rows: number; kept: string }
type Options = { log: Log; onStep: (step: string) => void }

/**
 * Moves the databases of a stopped store to the major version of PostgreSQL that this version of it uses. The former
 * server, installed by npm, starts on the former folder, whose rows are copied to a new one with the same tables. The
 * former folder stays as `postgres.<major>`. Killed at any moment, it can be run again. Undefined: nothing to do.
 */
export async function upgradeDatabase(dataDir: string, { log, onStep }: Options): Promise<Upgraded | undefined> {
  await openDataDir(dataDir, { fresh: false })
  const data = join(dataDir, 'postgres')
  const [draft, upgraded] = [`${data}.upgrading`, `${data}${UPGRADED}`]
  const to = Number.parseInt(await postgresVersion(), 10)
  const from = await majorOf(data)
  if (from === undefined && existsSync(upgraded)) {
    // The former folder was moved aside, and the new one has not taken its place yet.
    await rename(upgraded, data)
    return undefined
  }
  if (from === undefined) throw new Error(`${dataDir} has no databases of a store.`)
  if (from === to) return undefined
  if (from > to) throw new Error(`${data} is of PostgreSQL ${from}, newer than the ${to} of this version of the store.`)
  const kept = `${data}.${from}`
  if (existsSync(kept)) throw new Error(`${kept} exists, of a former upgrade: move it away first.`)

  // What was interrupted begins anew: the former store may have been started since.
  await stopOrphan(draft)
  for (const folder of [draft, upgraded]) await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  onStep(`Installing PostgreSQL ${from}`)
  const programs = join(dataDir, `postgresql-${from}`)
  const former = await startPostgres({
    folder: data,
    durable: true,
    postgres: await installFormerPostgres(from, programs),
  })
  let rows: number
  try {
    const next = await startPostgres({ folder: draft, durable: true })
    try {
      rows = await copyAll({ former: former.url, next: next.url, data, log, onStep })
    } finally {
      await next.stop()
    }
  } finally {
    await former.stop()
  }
  await rename(draft, upgraded)
  await rename(data, kept)
  await rename(upgraded, data)
  await rm(programs, { recursive: true, force: true })
  return { from, to, rows, kept }
}

/** `data`: the folder of the former databases. */
type Copy = { former: string; next: string; data: string } & Options

async function copyAll({ former, next, data, log, onStep }: Copy): Promise<number> {
  const files = `${data}.rows`
  await rm(files, { recursive: true, force: true })
  await mkdir(files, { mode: 0o700 })
  // Both servers run as the user of the databases, whose rows nobody else reads.
  const { uid, gid } = await stat(data)
  await chown(files, uid, gid)
  let rows = 0
  try {
    for (const name of await databasesOf(former)) {
      onStep(`Copying ${name}`)
      const from = await connect(databaseUrl(former, name))
      try {
        await createTables(databaseUrl(next, name), await migrationsOfFormer(from, name), log)
        const to = await connect(databaseUrl(next, name))
        rows += await copyRows(from, to, files).finally(() => to.end())
      } finally {
        await from.end()
      }
    }
    return rows
  } finally {
    await rm(files, { recursive: true, force: true })
  }
}

async function connect(connectionString: string) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  return client
}

async function databasesOf(url: string): Promise<string[]> {
  const client = await connect(url)
  try {
    const { rows } = await client.query<{ name: string }>(
      `select datname as name from pg_database where not datistemplate and datname <> 'postgres' order by datname`,
    )
    return rows.map(({ name }) => name)
  } finally {
    await client.end()
  }
}

/** The migrations that a database has had, in their order. It gets the others at the next start of the store. */
async function migrationsOfFormer(client: pg.Client, name: string): Promise<Migration[]> {
  const migrations = migrationsFor(name)
  if (!migrations) throw new Error(`The database ${name} is not of this store: drop it, or move it to another server.`)
  const { rows } = await client.query<{ name: string }>('select name from migration')
  const unknown = rows.filter((row) => !migrations.some((each) => each.name === row.name))
  if (unknown.length > 0)
    throw new Error(
      `The database ${name} is of a newer version of the store: ${unknown.map((row) => row.name).join(', ')}`,
    )
  return migrations.filter((each) => rows.some((row) => row.name === each.name))
}

/** Databases are named after a prefix and their service. */
function migrationsFor(name: string): Migration[] | undefined {
  const isOf = (part: string) => name === part || name.endsWith(`-${part}`)
  if (isOf('transport')) return localTransportMigrations()
  const service = serviceNames.find(isOf)
  return service && migrationsOf(implementations[service].migrations)
}

async function createTables(url: string, migrations: Migration[], log: Log) {
  await ensureDatabase(url)
  const db = openDatabase<any>({ url, log, maxConnections: 1 })
  try {
    await migrate(db, migrations)
  } finally {
    await db.destroy()
  }
}
