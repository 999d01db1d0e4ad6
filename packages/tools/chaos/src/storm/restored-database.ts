import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { databaseServerUrl, nameInStore } from '../campaign/databases.ts'
import type { OperatorsTool } from './operators-tool.ts'

/** Republished from so long before the backup, because messages may have waited then. */
const MARGIN_MS = 60_000
const SERVICE = 'catalog'
const DATABASE = nameInStore(SERVICE)

type Deps = { dataDir: string; tool: OperatorsTool; kill: () => Promise<void> }

/**
 * Catalog's database is put back to a copy that was made `afterMs` before, while Kafka and the other services go on,
 * and the runbook for a restored database is followed. `republished` resolves at its end.
 */
export async function restoreDatabase({ dataDir, tool, kill }: Deps, afterMs: number) {
  const since = new Date(Date.now() - MARGIN_MS).toISOString()
  await withoutSessions(dataDir, (client) => client.query(`create database "${DATABASE}_copy" template "${DATABASE}"`))
  await sleep(afterMs)
  await withoutSessions(dataDir, async (client) => {
    await client.query('begin')
    await client.query(`alter database "${DATABASE}" rename to "${DATABASE}_lost"`)
    await client.query(`alter database "${DATABASE}_copy" rename to "${DATABASE}"`)
    await client.query('commit')
  })
  await kill()
  const republish = async () => {
    for (const other of ['auth', 'minting', 'payments'])
      await tool(['republish', other, '--since', since, '--reason', `${SERVICE} restored`])
  }
  return { republished: republish() }
}

/** Ends the sessions of the service's database and keeps new ones out meanwhile. */
async function withoutSessions(dataDir: string, act: (client: pg.Client) => Promise<unknown>) {
  const client = new pg.Client({ connectionString: await databaseServerUrl(dataDir) })
  await client.connect()
  try {
    await client.query(`alter database "${DATABASE}" allow_connections false`)
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [DATABASE])
    await act(client)
  } finally {
    await client.query(`alter database "${DATABASE}" allow_connections true`)
    await client.end()
  }
}
