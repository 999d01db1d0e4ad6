import type { Log } from '@nifty/service-kit/base/logs'
import { sql, type Transaction } from 'kysely'
import type { LoggedEvent } from '../chain/node.ts'
import type { Database } from '../db.ts'

/** Stores a delivery that this database has no line for, or a stopped one. `pnpm ops reconcile` lists it. */
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
      'the chain delivered a line that this database does not have, or has stopped, see pnpm ops reconcile',
    )
}

export const isUnexpected = async (trx: Transaction<Database>, lineKey: string) => {
  const found = trx.selectFrom('unexpectedDelivery').select('lineKey').where('lineKey', '=', lineKey)
  return (await found.executeTakeFirst()) !== undefined
}

/** The database has the line by now: its order was rebuilt, or its event arrived after the delivery. */
export async function forgetUnexpected(trx: Transaction<Database>, lineKey: string) {
  await trx.deleteFrom('unexpectedDelivery').where('lineKey', '=', lineKey).execute()
}

/** Closes what a transaction delivered unexpectedly. Returns false when none of it is open. */
export async function closeUnexpected(trx: Transaction<Database>, txHash: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('unexpectedDelivery')
    .set({ closedAt: sql`now()` })
    .where('txHash', '=', txHash)
    .where('closedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
