import { serviceNames } from '@nifty/api/services'
import { type MeasuredPostgres, query } from '../cluster/postgres.ts'
import { readProcess } from '../processes/processes.ts'

/**
 * What a cluster has used so far, by name: `… CPU` in ms, `… SQL transactions`, `… rows written`, `… events`, bytes.
 */
export type Usage = Record<string, number>

type Databases = { datname: string; commits: number; written: number; bytes: number }

export async function readUsage({ postgres, pids }: { postgres: MeasuredPostgres; pids: Record<string, number> }) {
  const usage: Usage = { 'postgres: CPU': postgres.cpuMs() }
  for (const [name, pid] of Object.entries(pids)) usage[`${name}: CPU`] = readProcess(pid).cpuMs

  const databases = await query<Databases>(
    postgres.url,
    `select datname, xact_commit::int as commits, (tup_inserted + tup_updated + tup_deleted)::int as written,
       pg_database_size(datname)::float as bytes from pg_stat_database where datname = any($1)`,
    { values: [serviceNames] },
  )
  for (const { datname, commits, written } of databases) {
    usage[`${datname}: SQL transactions`] = commits
    usage[`${datname}: rows written`] = written
  }
  usage['all services: bytes stored'] = databases.reduce((sum, { bytes }) => sum + bytes, 0)
  const [wal] = await query<{ bytes: number }>(postgres.url, `select (pg_current_wal_lsn() - '0/0')::float as bytes`)
  usage['all services: bytes of log (WAL)'] = wal!.bytes
  for (const name of serviceNames) {
    const [events] = await query<{ published: number; consumed: number }>(
      postgres.url,
      'select (select count(*) from outbox)::int as published, (select count(*) from inbox)::int as consumed',
      { database: name },
    )
    usage[`${name}: events published`] = events!.published
    usage[`${name}: events consumed`] = events!.consumed
  }
  return usage
}

export const difference = (after: Usage, before: Usage): Usage =>
  Object.fromEntries(Object.entries(after).map(([name, amount]) => [name, amount - (before[name] ?? 0)]))

/** The sum over all programs of one kind of usage. */
export const sumOf = (usage: Usage, kind: string) =>
  Object.entries(usage).reduce((sum, [name, amount]) => sum + (name.endsWith(`: ${kind}`) ? amount : 0), 0)
