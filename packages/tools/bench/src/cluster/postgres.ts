import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from '@nifty/dev-servers/postgres'
import pg from 'pg'
import { childrenOf, cpuMsOf, endedChildrenCpuMs } from '../processes/processes.ts'

export type MeasuredPostgres = Awaited<ReturnType<typeof startMeasuredPostgres>>

/** PostgreSQL that can count its statements (pg_stat_statements); it does not until `countStatements`. */
export async function startMeasuredPostgres(folder: string) {
  const first = await startPostgres({ folder, durable: true })
  await query(first.url, `alter system set shared_preload_libraries = 'pg_stat_statements'`)
  await first.stop()
  const server = await startPostgres({ folder, durable: true })
  await query(server.url, 'create extension pg_stat_statements')
  await track('none')

  async function track(which: 'none' | 'top') {
    await query(server.url, `alter system set pg_stat_statements.track = '${which}'`)
    await query(server.url, 'select pg_reload_conf()')
  }
  return {
    ...server,
    /** CPU time of the server and its connections, also of those that ended, ms. */
    cpuMs: () => {
      const postmaster = Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n', 1)[0])
      return cpuMsOf([postmaster, ...childrenOf(postmaster)]) + endedChildrenCpuMs(postmaster)
    },
    /** Statements of all databases but `postgres` while `meanwhile` runs, `begin` and `commit` among them. */
    countStatements: async (meanwhile: () => Promise<unknown>): Promise<number> => {
      const count = async () => {
        const [row] = await query<{ calls: number }>(
          server.url,
          `select coalesce(sum(calls), 0)::float8 as calls from pg_stat_statements
           where dbid <> (select oid from pg_database where datname = 'postgres')`,
        )
        return row!.calls
      }
      await track('top')
      try {
        const before = await count()
        await meanwhile()
        return (await count()) - before
      } finally {
        await track('none')
      }
    },
  }
}

/** Runs a statement in the database that the URL names, or in `database` of the same server. */
export async function query<Row extends object = Record<string, unknown>>(
  serverUrl: string,
  text: string,
  { database, values = [] }: { database?: string; values?: unknown[] } = {},
): Promise<Row[]> {
  const url = new URL(serverUrl)
  if (database) url.pathname = `/${database}`
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  try {
    return (await client.query(text, values)).rows as Row[]
  } finally {
    await client.end()
  }
}
