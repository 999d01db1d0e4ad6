import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serviceNames } from '@nifty/api/services'
import pg from 'pg'

const TICK_MS = 10

/** What the store has used so far, by name: `… CPU ms`, `… transactions`, `… rows written`, `… events`, bytes. */
export type Usage = Record<string, number>

/** `pids`: process ids by the name under which their CPU time is reported. */
export async function readUsage(
  serverUrl: string,
  { pids, dataFolder }: { pids: Record<string, number[]>; dataFolder: string },
) {
  const usage: Usage = {}
  const postmaster = readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n', 1)[0]!
  const servers = execFileSync('ps', ['-o', 'pid=', '--ppid', postmaster]).toString().trim().split(/\s+/).map(Number)
  // A server process that ended counts with the one that waited for it.
  usage['postgres: CPU ms'] = cpuMs(Number(postmaster), 'with those that ended')
  for (const [name, own] of Object.entries({ ...pids, postgres: servers }))
    usage[`${name}: CPU ms`] = own.reduce((sum, pid) => sum + cpuMs(pid), usage[`${name}: CPU ms`] ?? 0)

  await ask(serverUrl, 'postgres', async (client) => {
    const { rows } = await client.query(
      `select datname, xact_commit::int as commits, (tup_inserted + tup_updated + tup_deleted)::int as written,
        pg_database_size(datname)::float as bytes from pg_stat_database where datname = any($1)`,
      [serviceNames],
    )
    for (const { datname, commits, written } of rows) {
      usage[`${datname}: SQL transactions`] = commits
      usage[`${datname}: rows written`] = written
    }
    usage['all services: bytes stored'] = rows.reduce((sum, { bytes }) => sum + bytes, 0)
    const { rows: wal } = await client.query(`select (pg_current_wal_lsn() - '0/0')::float as bytes`)
    usage['all services: bytes of log (WAL)'] = wal[0].bytes
  })
  for (const name of serviceNames)
    await ask(serverUrl, name, async (client) => {
      usage[`${name}: events published`] = (
        await client.query('select count(*)::int as count from outbox')
      ).rows[0].count
      usage[`${name}: events consumed`] = (await client.query('select count(*)::int as count from inbox')).rows[0].count
    })
  return usage
}

/** User and system time of one process; zero once it is gone. */
function cpuMs(pid: number, whose: 'its own' | 'with those that ended' = 'its own') {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    const counted = whose === 'its own' ? fields.slice(11, 13) : fields.slice(11, 15)
    return counted.reduce((sum, ticks) => sum + Number(ticks), 0) * TICK_MS
  } catch {
    return 0
  }
}

async function ask(serverUrl: string, name: string, run: (client: pg.Client) => Promise<void>) {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  await run(client).finally(() => client.end())
}
