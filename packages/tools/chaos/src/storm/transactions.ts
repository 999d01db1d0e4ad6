import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { nameInStore, withDatabase } from '../campaign/databases.ts'

/** The oldest open transaction of a service's database at a moment (ms since 1970). */
export type TransactionSample = { at: number; openMs: number; query?: string }

const EVERY_MS = 250

/**
 * A backend that listens is idle while it reads notifications, in a transaction with the start of its last statement:
 * https://github.com/postgres/postgres/blob/REL_18_STABLE/src/backend/access/transam/xact.c
 */
const oldest = `
  select round(extract(epoch from clock_timestamp() - xact_start) * 1000)::float8 as ms, query
  from pg_stat_activity
  where datname = $1 and backend_type = 'client backend' and pid <> pg_backend_pid() and xact_start is not null
    and state <> 'idle'
  order by xact_start limit 1`

/** Reads the open transactions of a service's database four times a second, also across a restart of its server. */
export function watchTransactions(folder: string, service: string) {
  const samples: TransactionSample[] = []
  let stopped = false

  async function watch(client: pg.Client) {
    client.on('error', () => {})
    while (!stopped) {
      const { rows } = await client.query<{ ms: number; query: string }>(oldest, [nameInStore(service)])
      samples.push({ at: Date.now(), openMs: rows[0]?.ms ?? 0, query: rows[0]?.query })
      await sleep(EVERY_MS)
    }
  }
  const watching = (async () => {
    while (!stopped) {
      await withDatabase(folder, service, watch).catch(() => {})
      if (!stopped) await sleep(EVERY_MS)
    }
  })()

  return {
    samples: samples as readonly TransactionSample[],
    stop: async () => {
      stopped = true
      await watching
    },
  }
}
