import type { Log } from '@nifty/service-kit/logs'
import type { Transaction } from 'kysely'
import type { LoggedEvent } from '../chain/node.ts'
import type { Database } from '../db.ts'

/** Stores a delivery that this database has no line for. `pnpm ops reconcile` lists it. */
export async function recordUnexpected(
  trx: Transaction<Database>,
  delivered: { lineKey: string; token: string; recipient: string; account: string | null },
  { txHash, block, at }: LoggedEvent,
  log: Log,
) {
  const unexpected = { ...delivered, txHash, block, at }
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('unexpectedDelivery')
    .values(unexpected)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows)
    log.error(
      { alarm: 'unexpected_delivery', ...unexpected },
      'the chain delivered a line that this database does not have, see pnpm ops reconcile',
    )
}
