import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { serviceNames } from '@nifty/api/services'
import { installFormerPostgres } from '@nifty/dev-servers/former-postgres'
import { majorOf, startPostgres } from '@nifty/dev-servers/postgres'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import {
  databaseUrl,
  ensureDatabase,
  type Migration,
  migrate,
  openDatabase,
} from '@nifty/service-kit/database/database'
import { migrationsOf } from '@nifty/service-kit/database/migrations'
import { localTransportMigrations } from '@nifty/service-kit/messaging/local-transport'
import { testLog } from '@nifty/service-kit/testing/log'
import { openDataDir, readSecrets, writeJson } from '@nifty/testkit/data-dir'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { BACKUP_FORMAT, hashesOf, platform } from '../backup/contents.ts'
import { restore } from '../backup/restore.ts'
import { implementations } from '../store/store.ts'
import { upgradeDatabase } from './upgrade.ts'

const FORMER = 17
const EVENTS = 1_000
const REASON = 'a\ttab, a \\ and a\nline'

/** PostgreSQL 17 has no `uuidv7`, which migrations use. */
const forMigrations = 'create function uuidv7() returns uuid language sql as $$ select gen_random_uuid() $$'

/** A data directory whose databases are of a former PostgreSQL: without the newest migration, and with rows. */
async function formerStore() {
  const dataDir = await temporaryFolder('upgrade')
  const programs = await installFormerPostgres(FORMER, join(dataDir, `postgresql-${FORMER}`))
  const server = await startPostgres({ folder: join(dataDir, 'postgres'), durable: true, postgres: programs })
  async function create(name: string, migrations: Migration[], ...values: string[]) {
    const url = databaseUrl(server.url, name)
    await ensureDatabase(url)
    await rowsOf(server.url, name, forMigrations)
    const db = openDatabase<any>({ url, log: testLog, maxConnections: 1 })
    await migrate(db, migrations)
    await db.destroy()
    for (const statement of values) await rowsOf(server.url, name, statement)
  }
  await readSecrets(await openDataDir(dataDir, { fresh: false }))
  for (const name of serviceNames)
    await create(
      name,
      migrationsOf(implementations[name].migrations).slice(0, -1),
      `insert into audit_log (operator, reason, action, subject) values ('ada', ${pg.escapeLiteral(REASON)}, 'refund', '1')`,
    )
  await create(
    'shop-transport',
    localTransportMigrations(),
    `insert into message (id, topic, key, name, data)
      select gen_random_uuid(), 'payments', 'k', 'n', jsonb_build_object('n', n) from generate_series(1, ${EVENTS}) n`,
  )
  await server.stop()
  return dataDir
}

/** Runs the upgrade in a process that is killed at a step. */
async function killedAt(dataDir: string, step: string) {
  const load = (file: string) => `import(${JSON.stringify(file)})`
  const script = `Promise.all([${load(join(import.meta.dirname, 'upgrade.ts'))}, ${load('@nifty/service-kit/base/logs')}])
    .then(([{ upgradeDatabase }, { createLog }]) => upgradeDatabase(${JSON.stringify(dataDir)}, {
      log: createLog({ name: 'test', level: 'fatal' }),
      onStep: (at) => { if (at === ${JSON.stringify(step)}) process.kill(process.pid, 'SIGKILL') },
    }))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { cwd: import.meta.dirname })
  const [, signal] = await once(child, 'exit')
  expect(signal).toBe('SIGKILL')
}

async function rowsOf(url: string, database: string, text: string) {
  const client = new pg.Client({ connectionString: databaseUrl(url, database) })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

test('databases of the former PostgreSQL, of a backup too, move to the next one, also after a process was killed', async () => {
  const dataDir = await formerStore()
  const data = join(dataDir, 'postgres')
  const upgrade = () => upgradeDatabase(dataDir, { log: testLog, onStep: () => {} })
  await expect(startPostgres({ folder: data, durable: true })).rejects.toThrow(
    /is of PostgreSQL 17, and this version of the store uses 18.*: run `npx pnpm ops upgrade-database`/,
  )

  const backup = `${dataDir}-backup`
  onTestFinished(() => rm(backup, { recursive: true, force: true }))
  for (const name of ['postgres', 'secrets.json', 'format.json'])
    await cp(join(dataDir, name), join(backup, name), { recursive: true })
  const manifest = { format: BACKUP_FORMAT, madeAt: '2026-11-27T02:00:00.000Z', postgres: FORMER, platform }
  await writeJson(join(backup, 'backup.json'), { ...manifest, files: await hashesOf(backup) })
  const { kept: before } = await restore(backup, dataDir, { existing: 'move aside' })
  onTestFinished(() => rm(before!, { recursive: true, force: true }))

  await killedAt(dataDir, 'Copying minting')
  const rows = await stat(`${data}.rows`)
  expect([(rows.mode & 0o777).toString(8), rows.uid]).toEqual(['700', (await stat(data)).uid])
  expect(await majorOf(data)).toBe(FORMER)
  const upgraded = await upgrade()
  expect(upgraded).toMatchObject({ from: FORMER, kept: `${data}.17` })
  expect(upgraded!.rows).toBeGreaterThan(EVENTS + serviceNames.length)
  expect(await majorOf(`${data}.17`)).toBe(FORMER)
  expect((await readdir(dataDir)).filter((name) => /upgrad|rows|postgresql/.test(name))).toEqual([])

  // As if it had been killed before the new folder took its place.
  await rename(data, `${data}.upgraded`)
  await expect(startPostgres({ folder: data, durable: true })).rejects.toThrow('was interrupted')
  expect(await upgrade()).toBeUndefined()

  const { url, stop } = await startPostgres({ folder: data, durable: true })
  try {
    expect(await rowsOf(url, 'payments', 'select operator, reason from audit_log')).toEqual([
      { operator: 'ada', reason: REASON },
    ])
    await expect(rowsOf(url, 'payments', 'delete from audit_log')).rejects.toThrow('append-only')
    const db = openDatabase<any>({ url: databaseUrl(url, 'payments'), log: testLog, maxConnections: 1 })
    await migrate(db, migrationsOf(implementations.payments.migrations))
    await db.destroy()
    const next = `insert into message (id, topic, key, name, data) values (gen_random_uuid(), 'p', 'k', 'n', '{}') returning seq`
    expect(await rowsOf(url, 'shop-transport', next)).toEqual([{ seq: String(EVENTS + 1) }])
  } finally {
    await stop()
  }
})

test('a folder without a store, or of a newer one, is refused', async () => {
  const dataDir = await temporaryFolder('upgrade')
  const upgrade = () => upgradeDatabase(dataDir, { log: testLog, onStep: () => {} })
  await expect(upgrade()).rejects.toThrow('has no databases of a store')
  await mkdir(join(dataDir, 'postgres'))
  await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '99\n')
  await expect(upgrade()).rejects.toThrow('is of PostgreSQL 99, newer than')
})
