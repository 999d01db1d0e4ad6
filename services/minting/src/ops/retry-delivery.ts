import type { RetryResult } from '@nifty/api/minting/ops'
import { conflict, notFound } from '@nifty/service-kit/base/errors'
import { type OperatorReason, recordOperatorAction } from '@nifty/service-kit/database/operator-audit'
import { sql, type Transaction } from 'kysely'
import type { ChainContext } from '../chain-transactions/chain-context.ts'
import { attemptsOf, feesOf, lockTransaction, requestFeeBump } from '../chain-transactions/chain-transaction.store.ts'
import { bump } from '../chain-transactions/fees.ts'
import type { Database } from '../db.ts'
import { findDelivery, lockDelivery, updateDelivery } from '../deliveries/delivery.store.ts'

/**
 * Makes a waiting delivery due now, or raises the fee of a signed one, if that is possible. 409 for every other state.
 */
export async function retryDelivery(
  context: ChainContext,
  { lineId, operator, reason }: { lineId: string } & OperatorReason,
): Promise<{ state: string; result: RetryResult; signer: string | null }> {
  return context.db.transaction().execute(async (trx) => {
    const delivery = await findDelivery(trx, lineId)
    if (!delivery) throw notFound('delivery_not_found', 'No such delivery')
    await recordOperatorAction(trx, { action: 'retry-delivery', subject: lineId, operator, reason })
    // The state of its transaction decides, so that is all to lock.
    if (delivery.state === 'signed')
      return { state: delivery.state, ...(await retrySigned(context, trx, delivery.transactionId!)) }
    const { state } = (await lockDelivery(trx, lineId))!
    if (state !== 'waiting') throw conflict('delivery_over', `This delivery is ${state}`)
    await updateDelivery(trx, lineId, { nextAttemptAt: sql`now()` as never })
    return { state, result: 'due_now', signer: null }
  })
}

async function retrySigned(
  { signers, settings }: ChainContext,
  trx: Transaction<Database>,
  transactionId: string,
): Promise<{ result: RetryResult; signer: string }> {
  const { signer, state } = await lockTransaction(trx, transactionId)
  if (state !== 'signed') return { result: 'mined', signer }
  if (!signers.find(signer)) return { result: 'key_missing', signer }
  const fees = feesOf((await attemptsOf(trx, [transactionId])).at(-1)!)
  if (!bump(fees, fees, settings.maxFee)) return { result: 'fee_cap', signer }
  await requestFeeBump(trx, transactionId)
  return { result: 'fee_bump_requested', signer }
}
