import type { Log } from '@nifty/service-kit/logs'
import type { Transaction } from 'kysely'
import { keyOf } from '../chain/keys.ts'
import type { LoggedEvent } from '../chain/node.ts'
import type { Database } from '../db.ts'
import { finishDelivery } from '../deliveries/delivery.actions.ts'
import { lockDelivery } from '../deliveries/delivery.store.ts'
import type { KnownDelivery } from '../deliveries/delivery.ts'
import { lockCursor } from './cursor.store.ts'
import { attributeToken, isDeliveredTo } from './owner.actions.ts'

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

/** Locks the cursor if the index has passed a delivery of this line. Call it before the line is stored. */
export async function lockUnexpected(trx: Transaction<Database>, lineId: string, collection: string) {
  const find = trx.selectFrom('unexpectedDelivery').selectAll().where('lineKey', '=', keyOf(lineId))
  const unexpected = await find.executeTakeFirst()
  if (unexpected) await lockCursor(trx, collection)
  return unexpected
}

type Unexpected = NonNullable<Awaited<ReturnType<typeof lockUnexpected>>>

/**
 * Finishes a line whose delivery the index has passed before its order arrived: payments rebuilt the order after a
 * restore, or its event is consumed again. Without a signature, so a halted signer does not matter.
 */
export async function finishUnexpected(trx: Transaction<Database>, lineId: string, unexpected: Unexpected) {
  const delivery = (await lockDelivery(trx, lineId)) as KnownDelivery | undefined
  if (delivery?.state !== 'waiting' || !isDeliveredTo(delivery, unexpected)) return
  await attributeToken(trx, delivery, unexpected.txHash)
  await finishDelivery(trx, delivery, unexpected)
}
