import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startPostgres } from '@nifty/dev-servers/postgres'
import { createLog } from '@nifty/service-kit/base/logs'
import { databaseUrl, migrate } from '@nifty/service-kit/database/database'
import { prepareDatabase } from '@nifty/service-kit/service/service'
import pg from 'pg'
import type { Figure } from '../results/target.ts'
import type { Run } from '../run/part.ts'
import { sizeOf } from '../run/sizes.ts'
import * as targets from '../run/targets.ts'
import { temporaryFolder } from '../run/temporary-folder.ts'

const ROWS = sizeOf('BENCH_MIGRATION_ROWS', 3_000_000)
const AT_REST_MS = 20_000
const CONNECTIONS = 4
const PAUSE_MS = 5
const SAMPLE_MS = 5

const INDEX = `-- outside a transaction
drop index concurrently if exists outbox_of_key;

create index concurrently outbox_of_key on outbox (key, created_at);
`
const row = `select 'order_changed', 'payments', gen_random_uuid()::text, jsonb_build_object('orderId', gen_random_uuid(), 'state', 'held')`

/** Events are inserted, as by sales, while a migration builds an index on an outbox of millions of rows. */
export async function benchMigration({ log }: Run): Promise<Figure[]> {
  await using started = new AsyncDisposableStack()
  const { path: folder, remove } = await temporaryFolder()
  started.defer(remove)
  const server = await startPostgres({ folder: join(folder, 'postgres'), durable: true })
  started.defer(async () => void (await server.stop()))
  const url = databaseUrl(server.url, 'bench')
  const silent = createLog({ name: 'bench', level: 'silent' })
  const migrations = join(import.meta.dirname, '../../../../service-kit/test-migrations')
  const db = await prepareDatabase<any>({ databaseUrl: url, storeId: 'bench', log: silent }, migrations)
  started.defer(() => db.destroy())
  await fill(url)
  log(`${ROWS} rows: filled`)

  const rest = await insertDuring(url, () => sleep(AT_REST_MS))
  const file = join(folder, '001-index.sql')
  await writeFile(file, INDEX)
  const building = await insertDuring(url, () => migrate(db, [{ name: 'bench/001-index.sql', file }]))
  return [
    {
      target: targets.migration.tail,
      figure: percentile(building.times, 0.99),
      baseline: percentile(rest.times, 0.99),
    },
    { target: targets.migration.waits, figure: building.waits },
    { name: 'longest insert meanwhile', unit: 'ms', figure: Math.max(...building.times) },
    { name: 'inserts meanwhile', unit: '', figure: building.times.length },
    { name: 'the index was built in', unit: 's', figure: building.seconds },
  ]
}

/** As published events, without waking a relay for each. */
async function fill(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('set session_replication_role = replica')
  await client.query(
    `insert into outbox (name, topic, key, data, published_at) select inserted.*, now() from generate_series(1, ${ROWS}), lateral (${row}) inserted`,
  )
  await client.query('vacuum analyze outbox')
  await client.query('checkpoint')
  await client.end()
}

/**
 * Inserts one row after the other on each of some connections until the work is done. Times in ms; `waits` are samples
 * in which an insert waited for the table.
 */
async function insertDuring(url: string, work: () => Promise<unknown>) {
  let isDone = false
  let waits = 0
  const times: number[] = []
  async function insert() {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    while (!isDone) {
      const began = performance.now()
      await client.query(`insert into outbox (name, topic, key, data) ${row}`)
      times.push(performance.now() - began)
      await sleep(PAUSE_MS)
    }
    await client.end()
  }
  async function watch() {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    while (!isDone) {
      // Waits for other locks, as of NOTIFY, are those of any commit.
      const { rows } = await client.query(
        `select count(*)::int as waits from pg_stat_activity where wait_event_type = 'Lock' and wait_event = 'relation' and query like 'insert%'`,
      )
      waits += rows[0].waits
      await sleep(SAMPLE_MS)
    }
    await client.end()
  }
  const inserting = Promise.all([...Array.from({ length: CONNECTIONS }, insert), watch()])
  const began = performance.now()
  await Promise.race([work(), inserting])
  isDone = true
  const seconds = (performance.now() - began) / 1_000
  await inserting
  return { times, waits, seconds }
}

const percentile = (times: number[], share: number) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * share)]!
