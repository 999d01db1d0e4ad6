import type { Worker } from '@nifty/service-kit/worker'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db.ts'
import type { ChainContext } from './chain-context.ts'

/** Without open work a worker reads the chain at each poll of this number, for what the owners of tokens do there. */
const IDLE_POLLS = 6

type Repeated = Pick<Worker, 'name' | 'run'>

/** Makes a worker read the chain at every poll while work is open, and seldom otherwise: each read is several RPC calls. */
export function seldomWhenIdle({ db, settings }: Pick<ChainContext, 'db' | 'settings'>, worker: Repeated): Worker {
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

/** Makes a worker that only signs run at every poll while work is open, and not otherwise. */
export function onlyWithOpenWork(
  { db, settings }: Pick<ChainContext, 'db' | 'settings'>,
  { name, run }: Repeated,
): Worker {
  let more = false
  return {
    name,
    everyMs: settings.pollMs,
    due: async () => (more || (await hasOpenWork(db)) ? 1 : 0),
    run: async () => {
      more = false
      more = (await run()) === true
      return more
    },
  }
}

const asked = new WeakMap<Kysely<Database>, Promise<boolean>>()

/** Whether a mint, a delivery or a transaction is not final. Workers that ask at the same time share one statement. */
function hasOpenWork(db: Kysely<Database>): Promise<boolean> {
  const running = asked.get(db) ?? queryOpenWork(db).finally(() => asked.delete(db))
  asked.set(db, running)
  return running
}

async function queryOpenWork(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<{ open: boolean }>`
    select exists (select from chain_transaction where state <> 'final')
      or exists (select from delivery where state in ('waiting', 'signed'))
      or exists (select from mint where state = 'accepted') as open`.execute(db)
  return rows[0]!.open
}
