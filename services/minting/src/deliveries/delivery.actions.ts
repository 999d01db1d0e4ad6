import { deliveryFailed, deliveryFinal, deliveryStarted } from '@nifty/events/minting'
import { publishEvent } from '@nifty/service-kit/messaging/outbox'
import { currentTraceparent, inSpan } from '@nifty/service-kit/traces/trace'
import type { Transaction } from 'kysely'
import { checkedAddress } from '../chain/node.ts'
import type { Database } from '../db.ts'
import { changeDelivery, endDeadline, lockDelivery, noDelivery } from './delivery.store.ts'
import { type Delivery, type FailureReason, isStopped, type KnownDelivery } from './delivery.ts'

/** The money is held. Heard twice, or after the line was stopped, it changes nothing. */
export async function acceptDelivery(
  trx: Transaction<Database>,
  line: { lineId: string; orderId: string; itemId: string; token: string; sellerId: string; buyerId: string } & {
    wallet: string
    deliverBy: string
  },
  forbiddenRecipients: string[],
) {
  const { lineId, orderId, itemId, token, sellerId, buyerId, deliverBy } = line
  const wallet = line.wallet.toLowerCase()
  const refused = forbiddenRecipients.includes(wallet)
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('delivery')
    .values({
      ...noDelivery,
      ...{ lineId, kind: 'sale', state: refused ? 'failed' : 'waiting', orderId, itemId, token, buyerId, wallet },
      fromId: sellerId,
      deliverBy: new Date(deliverBy),
      reason: refused ? 'recipient_refuses' : null,
      traceparent: currentTraceparent(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  if (!numInsertedOrUpdatedRows) return

  const delivery = (await lockDelivery(trx, lineId)) as KnownDelivery
  if (refused) await announceFailure(trx, delivery, 'recipient_refuses')
  else await yieldToSale(trx, token)
}

/** Somebody paid for a token that its seller was about to take out: the sale goes first while that can be chosen. */
async function yieldToSale(trx: Transaction<Database>, token: string) {
  await trx
    .updateTable('delivery')
    .set({ state: 'failed', reason: 'sold' satisfies FailureReason })
    .where('token', '=', token)
    .where('kind', '=', 'withdrawal')
    .where('state', '=', 'waiting')
    .execute()
}

/**
 * Stops a line unless its delivery is signed. Asked before the line is known, it leaves a tombstone, so that the line
 * never starts. Answers whether the token certainly stays. For reason `deadline` a signed one is cancelled at its nonce.
 */
export async function stopDelivery(
  trx: Transaction<Database>,
  { lineId, reason }: { lineId: string; reason: 'cancelled' | 'deadline' },
): Promise<boolean> {
  await trx
    .insertInto('delivery')
    .values({ ...noDelivery, lineId, kind: 'sale', state: 'stopped' })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const delivery = (await lockDelivery(trx, lineId))!
  if (delivery.state === 'signed' && reason === 'deadline') await endDeadline(trx, lineId)
  if (delivery.state !== 'waiting') return isStopped(delivery.state)
  await changeDelivery(trx, lineId, { state: 'stopped' })
  return true
}

export async function startDelivery(trx: Transaction<Database>, delivery: KnownDelivery, signed: Signed) {
  await changeDelivery(trx, delivery.lineId, { state: 'signed', transactionId: signed.id, doubtedAtBlock: null })
  const said = saleOf(delivery)
  if (!said) return
  await ofSale('delivery signed', delivery, () =>
    publishEvent(trx, deliveryStarted, { ...said, txHash: signed.hash, at: new Date().toISOString() }),
  )
}
type Signed = { id: string; hash: string }

/** A final block has the `Delivered` log of this line, for this token and this wallet. */
export async function finishDelivery(
  trx: Transaction<Database>,
  delivery: KnownDelivery,
  { txHash, block, at }: { txHash: string; block: number; at: Date },
) {
  await changeDelivery(trx, delivery.lineId, { state: 'final', txHash, block })
  const said = saleOf(delivery)
  if (!said) return
  const wallet = checkedAddress(delivery.wallet)!
  const { buyerId } = delivery
  await ofSale('delivery final', delivery, () =>
    publishEvent(trx, deliveryFinal, { ...said, buyerId, wallet, txHash, block, at: at.toISOString() }),
  )
}

/** The token did not move and never will for this line. Only for lines whose transaction, if any, is final. */
export async function failDelivery(
  trx: Transaction<Database>,
  delivery: KnownDelivery,
  { reason, note = null }: { reason: FailureReason; note?: string | null },
) {
  await changeDelivery(trx, delivery.lineId, { state: 'failed', reason, note })
  await announceFailure(trx, delivery, reason)
}

/** A final revert: a line that was alone is refused; one out of a batch was never tried itself and goes alone. */
export async function settleReverted(trx: Transaction<Database>, deliveries: KnownDelivery[]) {
  const [only, ...others] = deliveries
  if (only && others.length === 0) await failDelivery(trx, only, { reason: 'reverted' })
  else for (const delivery of deliveries) await putBack(trx, delivery, { alone: true })
}

/** Their nonce is finally used up by something else: the rest gets another one, and what is too late is given up. */
export async function putDeliveriesBack(trx: Transaction<Database>, deliveries: KnownDelivery[]) {
  for (const delivery of deliveries) await putBack(trx, delivery, {})
}

const putBack = (trx: Transaction<Database>, { lineId }: Delivery, changes: { alone?: boolean }) =>
  changeDelivery(trx, lineId, { ...changes, state: 'waiting', transactionId: null })

async function announceFailure(trx: Transaction<Database>, delivery: KnownDelivery, reason: FailureReason) {
  const said = saleOf(delivery)
  if (!said) return
  await ofSale('delivery failed', delivery, () =>
    publishEvent(trx, deliveryFailed, { ...said, reason, at: new Date().toISOString() }),
  )
}

/** In the trace of its own sale, also where several lines share a transaction. */
export const ofSale = <Result>(
  name: string,
  { lineId, traceparent }: Pick<Delivery, 'lineId' | 'traceparent'>,
  run: () => Promise<Result>,
) => inSpan({ name, continues: traceparent, facts: { 'line.id': lineId } }, run)

/** What is told to others; nothing for a withdrawal, which is nobody's order. */
function saleOf({ kind, lineId, orderId, itemId, token }: KnownDelivery) {
  return kind === 'sale' ? { lineId, token, orderId: orderId!, itemId: itemId! } : undefined
}
