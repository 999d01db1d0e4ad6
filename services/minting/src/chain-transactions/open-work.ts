import type { Worker } from '@nifty/service-kit/worker'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db.ts'
import type { ChainContext } from './chain-context.ts'

/** Without open work a worker reads the chain at each poll of this number, for what the owners of tokens do there. */
const IDLE_POLLS = 6

/** Makes a worker read the chain at every poll while work is open, and seldom otherwise: each read is several RPC calls. */
export function seldomWhenIdle(
  { db, settings }: Pick<ChainContext, 'db' | 'settings'>,
  worker: Pick<Worker, 'name' | 'run'>,
): Worker {
  let nextAt = 0
  return {
    ...worker,
    everyMs: settings.pollMs,
    due: async () => (performance.now() >= nextAt || (await hasOpenWork(db)) ? 1 : 0),
    run: async () => {
      nextAt = performance.now() + IDLE_POLLS * settings.pollMs
      const more = await worker.run()
      if (more) nextAt = 0
      return more
    },
  }
}

/** Whether a mint, a delivery or a transaction is not final. */
async function hasOpenWork(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<{ open: boolean }>`
    select exists (select from chain_transaction where state <> 'final')
      or exists (select from delivery where state in ('waiting', 'signed'))
      or exists (select from mint where state = 'accepted') as open`.execute(db)
  return rows[0]!.open
}
