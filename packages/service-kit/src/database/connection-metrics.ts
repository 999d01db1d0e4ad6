import type { Kysely } from 'kysely'
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
