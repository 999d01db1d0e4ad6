import { inSpan } from '@nifty/service-kit/base/trace'
import { sql } from 'kysely'
import type { ChainContext } from './chain-context.ts'
import { type Attempt, feesOf, newestAttempt, type OpenTransaction } from './chain-transaction.store.ts'
import { bump, capOf, isPricedOut } from './fees.ts'
import { signReplacement } from './queue.ts'

/** A transaction that is not priced out is replaced only after this many times the usual delay. */
const SLOW_BUMP_FACTOR = 6

/** Sends the stored bytes of the newest attempt, at most once per `rebroadcastMs`. Errors of the node are ignored. */
export async function broadcast({ db, node, log, settings }: ChainContext, transaction: OpenTransaction) {
  const { broadcastAt, id, nonce, readAt } = transaction
  if (broadcastAt && !isOlder(broadcastAt, settings.rebroadcastMs, readAt)) return
  const { raw, hash } = newestAttempt(transaction)
  await inSpan(
    { name: 'broadcast', remoteParent: transaction.traceparent, attributes: { 'transaction.hash': hash } },
    () => node.broadcast(raw),
  ).catch((error) => log.debug({ err: error, hash, nonce }, 'broadcast: the node returned an error, it is sent again'))
  await db.updateTable('chainTransaction').set({ broadcastAt: sql`now()` }).where('id', '=', id).execute()
}

/** Its call is not sent any more: the cancellation of its nonce takes its place. */
export const isToBeCancelled = (transaction: OpenTransaction) =>
  transaction.isOverdue && newestAttempt(transaction).kind === 'call'

/** Cancels overdue work, and raises the fee of a transaction that is priced out. Returns true after a replacement. */
export async function replaceIfNeeded(context: ChainContext, transaction: OpenTransaction, isNext: boolean) {
  const { log, node, settings } = context
  const { readAt } = transaction
  const newest = newestAttempt(transaction)
  if (isToBeCancelled(transaction)) {
    log.warn({ nonce: transaction.nonce }, 'transaction past its deadline or stopped, cancelling its nonce')
    return replace(context, transaction, 'cancel')
  }
  if (transaction.bumpRequested) return replace(context, transaction, newest.kind)
  // Only the lowest nonce can be mined, so a higher fee helps no other.
  if (!isNext || !isOlder(newest.createdAt, settings.bumpAfterMs, readAt)) return false
  const pricedOut = isPricedOut(feesOf(newest), await node.fees())
  if (pricedOut || isOlder(newest.createdAt, settings.bumpAfterMs * SLOW_BUMP_FACTOR, readAt))
    return replace(context, transaction, newest.kind)
  return false
}

/**
 * Returns false without the signer's key, or while it cannot sign: the stored attempts are then mined, or the signer's
 * role is removed.
 */
async function replace(context: ChainContext, transaction: OpenTransaction, kind: Attempt['kind']): Promise<boolean> {
  const signer = context.signers.find(transaction.signer)
  if (!signer || !(await signer.isAvailable())) return false
  const cap = capOf(kind, context.settings.maxFee)
  const fees = bump(feesOf(newestAttempt(transaction)), await context.node.fees(), cap)
  if (!fees) {
    context.log.error(
      { alarm: 'fee_cap', nonce: transaction.nonce },
      'transaction stuck at the maximum fee, waiting for lower prices',
    )
    return false
  }
  return signReplacement(context, transaction, { signer, kind, fees })
}

const isOlder = (at: Date, ms: number, now: Date) => at.getTime() < now.getTime() - ms
