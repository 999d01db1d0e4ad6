import type { RetryResult } from '@nifty/api/minting/ops'
import { conflict, notFound } from '@nifty/service-kit/base/errors'
import { type OperatorReason, recordOperatorAction } from '@nifty/service-kit/database/operator-audit'
import { sql, type Transaction } from 'kysely'
import type { ChainContext } from '../chain-transactions/chain-context.ts'
import {
  attemptsOf,
  feesOf,
  findTransaction,
  lockTransaction,
  requestFeeBump,
} from '../chain-transactions/chain-transaction.store.ts'
import { bump, capOf } from '../chain-transactions/fees.ts'
import type { Database } from '../db.ts'
import { findDelivery, lockDelivery, updateDelivery } from '../deliveries/delivery.store.ts'
import type { Delivery } from '../deliveries/delivery.ts'

/**
 * Makes a waiting delivery due now, or raises the fee of a signed one, if that is possible. 409 for every other state.
 */
export async function retryDelivery(
  context: ChainContext,
  { lineId, operator, reason }: { lineId: string } & OperatorReason,
): Promise<{ state: string; result: RetryResult; signer: string | null }> {
  const minedNonces = await readMinedNonces(context, lineId)
  return context.db.transaction().execute(async (trx) => {
    const delivery = await findDelivery(trx, lineId)
    if (!delivery) throw notFound('delivery_not_found', 'No such delivery')
    await recordOperatorAction(trx, { action: 'retry-delivery', subject: lineId, operator, reason })
    // The state of its transaction decides, so that is all to lock.
    if (delivery.state === 'signed')
      return { state: delivery.state, ...(await retrySigned(context, trx, { delivery, minedNonces })) }
    const { state } = (await lockDelivery(trx, lineId))!
    if (state !== 'waiting') throw conflict('delivery_over', `This delivery is ${state}`)
    await updateDelivery(trx, lineId, { nextAttemptAt: sql`now()` as never })
    return { state, result: 'due_now', signer: null }
  })
}

/** How many nonces of the signer of a line are used in blocks; none of an unsigned line, or without a node. */
async function readMinedNonces({ db, node }: ChainContext, lineId: string): Promise<number> {
  const delivery = await findDelivery(db, lineId)
  if (delivery?.state !== 'signed') return 0
  const { signer } = await findTransaction(db, delivery.transactionId!)
  return node.nonceAt(signer, 'latest').catch(() => 0)
}

async function retrySigned(
  { signers, settings }: ChainContext,
  trx: Transaction<Database>,
  { delivery: { transactionId, deliverBy }, minedNonces }: { delivery: Delivery; minedNonces: number },
): Promise<{ result: RetryResult; signer: string }> {
  const { id, signer, state, nonce } = await lockTransaction(trx, transactionId!)
  if (state !== 'signed') return { result: 'mined', signer }
  if (nonce < minedNonces) return { result: 'nonce_used', signer }
  if (!signers.find(signer)) return { result: 'key_missing', signer }
  if (deliverBy && deliverBy <= new Date()) return { result: 'cancelling', signer }
  const newest = (await attemptsOf(trx, [id])).at(-1)!
  const fees = feesOf(newest)
  if (!bump(fees, fees, capOf(newest.kind, settings.maxFee))) return { result: 'fee_cap', signer }
  await requestFeeBump(trx, id)
  return { result: 'fee_bump_requested', signer }
}
