import type { Stop } from '@nifty/api/minting/internal'
import { checkedAddress } from '@nifty/contracts/address'
import { deliveryFailed, deliveryFinal, deliveryStarted, withdrawalFinal } from '@nifty/events/minting'
import { currentTraceparent, inSpan } from '@nifty/service-kit/base/trace'
import { publishEvent } from '@nifty/service-kit/messaging/outbox'
import type { Transaction } from 'kysely'
import { custodyAccountOf, lockAccountShared } from '../accounts/account.store.ts'
import { attemptsOf, findTransaction } from '../chain-transactions/chain-transaction.store.ts'
import type { Database } from '../db.ts'
import { imagePath } from '../images/image.ts'
import { findMintOf } from '../mints/mint.store.ts'
import { isContested } from '../tokens/contested-line.store.ts'
import { endDeadline, isOverdue, lockDelivery, noDelivery, updateDelivery } from './delivery.store.ts'
import { type Delivery, type FailureReason, isStopped, type KnownDelivery } from './delivery.ts'

/**
 * The card hold exists. Idempotent; a stopped line stays stopped. A line into custody may have no account yet: the
 * chain is read first (`unsigned.worker.ts`).
 */
export async function acceptDelivery(
  trx: Transaction<Database>,
  line: { lineId: string; orderId: string; itemId: string; token: string; sellerId: string; buyerId: string } & {
    wallet: string
    custody?: true
    deliverBy: string
  },
  forbiddenRecipients: string[],
) {
  const { lineId, orderId, itemId, token, sellerId, buyerId, deliverBy } = line
  const wallet = line.custody ? null : line.wallet.toLowerCase()
  const custodyAccount = line.custody ? ((await custodyAccountOf(trx, buyerId)) ?? null) : null
  const refused = wallet !== null && forbiddenRecipients.includes(wallet)
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('delivery')
    .values({
      ...noDelivery,
      lineId,
      kind: 'sale',
      state: refused ? 'failed' : 'waiting',
      orderId,
      itemId,
      token,
      buyerId,
      wallet,
      custodyAccount,
      fromId: sellerId,
      deliverBy: new Date(deliverBy),
      reason: refused ? 'recipient_refuses' : null,
      traceparent: currentTraceparent(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  if (!numInsertedOrUpdatedRows) return

  const delivery = (await lockDelivery(trx, lineId)) as KnownDelivery
  if (refused) await publishFailure(trx, delivery, 'recipient_refuses')
  else await failUnsigned(trx, token)
}

/** A paid sale has priority over a withdrawal or gift of the same token that is not signed. */
async function failUnsigned(trx: Transaction<Database>, token: string) {
  await trx
    .updateTable('delivery')
    .set({ state: 'failed', reason: 'sold' satisfies FailureReason })
    .where('token', '=', token)
    .where('kind', '<>', 'sale')
    .where('state', '=', 'waiting')
    .execute()
}

/**
 * Stops a line if that is still possible. `stopped` promises that the token stays where it is: the line is not signed
 * and never will be; one that is not stored yet gets a tombstone. The nonce of a signed line is cancelled while no
 * block has it, unless `whenSigned` is `continue`; the outcome on the chain follows as an event. `cancelling` is true
 * until then, also while a block that is not final has the cancellation.
 */
export async function stopDelivery(
  trx: Transaction<Database>,
  { lineId, whenSigned }: { lineId: string; whenSigned: 'cancel' | 'continue' },
): Promise<Pick<Stop, 'stopped' | 'cancelling'>> {
  await trx
    .insertInto('delivery')
    .values({ ...noDelivery, lineId, kind: 'sale', state: 'stopped' })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const delivery = (await lockDelivery(trx, lineId))!
  if (delivery.state === 'signed') {
    if (whenSigned === 'cancel') await endDeadline(trx, lineId)
    return (await isCancelling(trx, delivery)) ? { stopped: false, cancelling: true } : { stopped: false }
  }
  if (delivery.state !== 'waiting') return { stopped: isStopped(delivery.state) }
  await updateDelivery(trx, lineId, { state: 'stopped' })
  return { stopped: true }
}

/** No block has the transaction of a signed line and its time is over, or the newest blocks have the cancellation. */
async function isCancelling(trx: Transaction<Database>, { lineId, transactionId }: Delivery): Promise<boolean> {
  const { id, state, minedHash } = await findTransaction(trx, transactionId!)
  if (state === 'signed') return isOverdue(trx, lineId)
  return (await attemptsOf(trx, [id])).some(({ hash, kind }) => hash === minedHash && kind === 'cancel')
}

export async function startDelivery(
  trx: Transaction<Database>,
  delivery: KnownDelivery,
  signed: { id: string; hash: string },
) {
  await updateDelivery(trx, delivery.lineId, { state: 'signed', transactionId: signed.id })
  const sale = saleOf(delivery)
  if (!sale) return
  await inSaleSpan('delivery signed', delivery, () =>
    publishEvent(trx, deliveryStarted, { ...sale, txHash: signed.hash, at: new Date().toISOString() }),
  )
}

/** A final block has the `Delivered` log of this line, for this token and this recipient, an address. */
export async function finishDelivery(
  trx: Transaction<Database>,
  delivery: KnownDelivery,
  { recipient, txHash, block, at }: { recipient: string; txHash: string; block: number; at: Date },
) {
  await updateDelivery(trx, delivery.lineId, { state: 'final', reason: null, txHash, block })
  const wallet = checkedAddress(recipient)!
  const { lineId, token, buyerId } = delivery
  if (delivery.kind === 'withdrawal') {
    const mint = await findMintOf(trx, token)
    await publishEvent(trx, withdrawalFinal, {
      withdrawalId: lineId,
      userId: buyerId,
      token,
      name: mint?.name,
      image: mint && imagePath(mint.file),
      wallet,
      txHash,
      at: at.toISOString(),
    })
  }
  const sale = saleOf(delivery)
  if (!sale) return
  await inSaleSpan('delivery final', delivery, () =>
    publishEvent(trx, deliveryFinal, { ...sale, buyerId, wallet, txHash, block, at: at.toISOString() }),
  )
}

/** Call it only when the line has no transaction, or its transaction is final: the token then stays where it is. */
export async function failDelivery(
  trx: Transaction<Database>,
  delivery: KnownDelivery,
  { reason, note = null }: { reason: FailureReason; note?: string | null },
) {
  await updateDelivery(trx, delivery.lineId, { state: 'failed', reason, note })
  await publishFailure(trx, delivery, reason)
}

/**
 * `alone`: it gets a transaction of its own. A withdrawal or gift of an account that was suspended or frozen
 * meanwhile, or whose payment a bank contests, fails instead; so does a gift of or to a deleted account. A withdrawal
 * that an operator requested for a deleted account is signed again.
 */
export async function requeueDelivery(
  trx: Transaction<Database>,
  delivery: KnownDelivery,
  changes: { alone?: boolean },
) {
  const refusal = delivery.kind === 'sale' ? undefined : await refusalOf(trx, delivery)
  if (refusal) return failDelivery(trx, delivery, { reason: refusal })
  await updateDelivery(trx, delivery.lineId, { ...changes, state: 'waiting', transactionId: null })
}

/** Of a withdrawal, whose giver and recipient are one account, or of a gift. */
async function refusalOf(
  trx: Transaction<Database>,
  { kind, token, fromId, buyerId }: KnownDelivery,
): Promise<FailureReason | undefined> {
  for (const userId of [fromId, buyerId].toSorted()) {
    const account = await lockAccountShared(trx, userId)
    if (account?.suspended && (kind === 'gift' || account.deletedAt === null)) return 'suspended'
  }
  return (await isContested(trx, { token, userId: fromId })) ? 'contested' : undefined
}

async function publishFailure(trx: Transaction<Database>, delivery: KnownDelivery, reason: FailureReason) {
  const sale = saleOf(delivery)
  if (!sale) return
  await inSaleSpan('delivery failed', delivery, () =>
    publishEvent(trx, deliveryFailed, { ...sale, reason, at: new Date().toISOString() }),
  )
}

/** A span in the trace of the line's own sale, also where several lines share a transaction. */
export const inSaleSpan = <Result>(
  name: string,
  { lineId, traceparent }: Pick<Delivery, 'lineId' | 'traceparent'>,
  run: () => Promise<Result>,
) => inSpan({ name, remoteParent: traceparent, attributes: { 'line.id': lineId } }, run)

/** The part that events of a sale share; undefined for a withdrawal or gift. */
function saleOf({ kind, lineId, orderId, itemId, token }: KnownDelivery) {
  return kind === 'sale' ? { lineId, token, orderId: orderId!, itemId: itemId! } : undefined
}
