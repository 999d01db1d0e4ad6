import type { Kysely } from 'kysely'
import pg from 'pg'
import { collector } from '../base/metrics.ts'
import { connectionsOf } from './database.ts'

/** Use of the database connection pools, by pool. */
export const connectionsCollector = (pools: Record<string, Kysely<any>>) =>
  collector({
    source: 'connections',
    metrics: {
      nifty_db_connections_used: { help: 'Connections in use', label: 'pool' },
      nifty_db_connections_max: { help: 'Maximum number of connections', label: 'pool' },
      nifty_db_connections_waiting: { help: 'Requests that wait for a connection', label: 'pool' },
    },
    read: async () => {
      const each = (of: 'used' | 'max' | 'waiting') =>
        Object.fromEntries(Object.entries(pools).map(([name, db]) => [name, connectionsOf(db)[of]]))
      return {
        nifty_db_connections_used: each('used'),
        nifty_db_connections_max: each('max'),
        nifty_db_connections_waiting: each('waiting'),
      }
    },
  })

/** Below the time that a collector may take. */
const PROBE_TIMEOUT_MS = 2_000

/**
 * Whether the database accepts a connection and answers: on a connection of its own, since those of a pool may all be
 * in use while the server is well.
 */
export const databaseCollector = (connectionString: string) =>
  collector({
    source: 'database',
    metrics: {
      nifty_database_response_seconds: { help: 'Time until the database had accepted a connection and answered' },
    },
    read: async () => {
      const startedAt = performance.now()
      const client = new pg.Client({
        connectionString,
        connectionTimeoutMillis: PROBE_TIMEOUT_MS,
        query_timeout: PROBE_TIMEOUT_MS,
      })
      // A connection that breaks fails its query; the event itself needs a listener as well.
      client.on('error', () => {})
      try {
        await client.connect()
        await client.query('select 1')
      } finally {
        // Not awaited: a server that hangs does not close the connection.
        void client.end().catch(() => {})
      }
      return { nifty_database_response_seconds: (performance.now() - startedAt) / 1_000 }
    },
  })
