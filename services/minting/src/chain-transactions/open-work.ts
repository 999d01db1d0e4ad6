import type { Worker } from '@nifty/service-kit/base/worker'
import { type Kysely, sql } from 'kysely'
import type { Database, Row } from '../db.ts'
import type { ChainContext } from './chain-context.ts'

/** Without open work a worker reads the chain at each poll of this number, for what the owners of tokens do there. */
const IDLE_POLLS = 6

type Repeated = Pick<Worker, 'name' | 'run'>

/** `any`: a mint, a delivery or a transaction is not final. `cursors`: of the index, which is read in the same statement. */
export type OpenWork = {
  any: boolean
  waitingDeliveries: boolean
  /** Some of the waiting ones may be among those that are not signed before the chain is read for them. */
  unsignedDeliveries: boolean
  acceptedMints: boolean
  cursors: Row<'chainCursor'>[]
}

/** What `due` has read for this run, or a new reading. */
export type ReadWork = () => Promise<OpenWork>

/** Makes a worker read the chain at every poll while work is open, and seldom otherwise: each read is several RPC calls. */
export function seldomWhenIdle(
  { db, settings }: Pick<ChainContext, 'db' | 'settings'>,
  {
    run,
    ...worker
  }: Pick<Worker, 'name' | 'isNotified' | 'runsAll'> & { run: (readWork: ReadWork) => Promise<boolean | void> },
): Worker {
  let nextAt = 0
  let counted: OpenWork | undefined
  return {
    ...worker,
    everyMs: settings.pollMs,
    due: async () => {
      counted = await openWork(db)
      return performance.now() >= nextAt || counted.any ? 1 : 0
    },
    run: async () => {
      nextAt = performance.now() + IDLE_POLLS * settings.pollMs
      const read = counted
      counted = undefined
      const more = await run(async () => read ?? openWork(db))
      if (more) nextAt = 0
      return more
    },
  }
}

/** Makes a worker that only signs run at every poll while work of its kind is open, and not otherwise. */
export function onlyWithOpenWork(
  { db, settings }: Pick<ChainContext, 'db' | 'settings'>,
  { name, run, kind }: Repeated & { kind: 'waitingDeliveries' | 'unsignedDeliveries' | 'acceptedMints' },
): Worker {
  let more = false
  return {
    name,
    everyMs: settings.pollMs,
    due: async () => (more || (await openWork(db))[kind] ? 1 : 0),
    run: async () => {
      more = false
      more = (await run()) === true
      return more
    },
  }
}

const asked = new WeakMap<Kysely<Database>, Promise<OpenWork>>()

/** Workers that ask at the same time share one statement. */
function openWork(db: Kysely<Database>): Promise<OpenWork> {
  const running = asked.get(db) ?? queryOpenWork(db).finally(() => asked.delete(db))
  asked.set(db, running)
  return running
}

async function queryOpenWork(db: Kysely<Database>): Promise<OpenWork> {
  const { rows } = await sql<Omit<OpenWork, 'any'> & { others: boolean }>`
    select exists (select from delivery where state = 'waiting') as waiting_deliveries,
      exists (select from delivery where state = 'waiting' and (deliver_by <= now() or wallet is null
        or exists (select from unexpected_delivery))) as unsigned_deliveries,
      exists (select from mint where state = 'accepted') as accepted_mints,
      exists (select from chain_transaction where state <> 'final')
        or exists (select from delivery where state = 'signed') as others,
      (select coalesce(json_agg(json_build_object(
        'collection', collection, 'block', block, 'blockHash', block_hash, 'haltedReason', halted_reason)), '[]')
        from chain_cursor) as cursors`.execute(db)
  const { others, ...own } = rows[0]!
  return { ...own, any: others || own.waitingDeliveries || own.acceptedMints }
}
