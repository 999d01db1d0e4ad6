import { type Kysely, sql } from 'kysely'
import type { ChainContext } from './chain-transactions/chain-context.ts'
import type { Database } from './db.ts'
import { signDeliveries } from './deliveries/delivery.worker.ts'
import { handleUnsigned } from './deliveries/unsigned.worker.ts'
import { signMints } from './mints/mint.worker.ts'

/** One statement: it is read at every poll. */
async function readWaiting(db: Kysely<Database>) {
  const { rows } = await sql<{ deliveries: boolean; mints: boolean }>`
    select exists (select from delivery where state = 'waiting') as deliveries,
      exists (select from mint where state = 'accepted') as mints`.execute(db)
  return rows[0]!
}

/**
 * Works on the deliveries and mints that wait to be signed, side by side: an error with one kind does not delay the
 * others. Returns true when more may be waiting.
 */
export async function handleWaiting(context: ChainContext): Promise<boolean> {
  const { deliveries, mints } = await readWaiting(context.db)
  const outcomes = await Promise.allSettled([
    deliveries && handleUnsigned(context),
    deliveries && signDeliveries(context),
    mints && signMints(context),
  ])
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  return outcomes.some((outcome) => outcome.status === 'fulfilled' && outcome.value)
}
