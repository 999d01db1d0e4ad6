import type { Stop, StopReason } from '@nifty/api/minting/internal'
import { checkedAddress } from '@nifty/contracts/address'
import { uuidOf } from '@nifty/contracts/keys'
import { userOfCustodyAccount } from '../accounts/account.store.ts'
import type { ChainContext } from '../chain-transactions/chain-context.ts'
import { LATE_AFTER_MS, readChainState } from '../chain-transactions/chain-state.ts'
import { findTransaction } from '../chain-transactions/chain-transaction.store.ts'
import { stopDelivery } from './delivery.actions.ts'
import { findDelivery } from './delivery.store.ts'
import type { Delivery } from './delivery.ts'
import { applyDelivered, type LineOnChain, readLine } from './line-on-chain.ts'

/** `keepFor`: the buyer of a line into custody. */
type Request = { lineId: string; reason: StopReason; keepFor?: string }

/**
 * Stops a line if that is still possible: what is not signed is refused for good, what is signed and in no block has
 * its nonce cancelled, and of what is in a block the outcome is told. `pending` while the chain may have delivered
 * it. A buyer's `cancelled` leaves what is signed alone unless the chain is late.
 */
export async function requestStop(context: ChainContext, request: Request): Promise<Stop> {
  const { db } = context
  const delivery = await findDelivery(db, request.lineId)
  if (delivery?.state === 'final') return { stopped: false, delivered: deliveryOf(delivery) }
  if (!delivery || delivery.state === 'waiting') {
    const found = await readKnownLine(context, request.lineId)
    if (found === 'unknown') return { stopped: false, pending: true }
    if (found === 'delivered') return reportDelivered(context, request)
  }
  const isLeft = request.reason === 'cancelled' && !(await isLate(context, delivery))
  const whenSigned = isLeft ? 'continue' : 'cancel'
  return db.transaction().execute((trx) => stopDelivery(trx, { lineId: request.lineId, whenSigned }))
}

/** A signed line whose transaction is in no block although it should be. */
async function isLate(context: ChainContext, delivery: Delivery | undefined): Promise<boolean> {
  if (delivery?.state !== 'signed') return false
  const { state, signedAt } = await findTransaction(context.db, delivery.transactionId!)
  if (state !== 'signed') return false
  if (Date.now() - signedAt.getTime() > LATE_AFTER_MS) return true
  return readChainState(context).then(
    ({ refusal }) => refusal !== null,
    () => true,
  )
}

const readKnownLine = (context: ChainContext, lineId: string): Promise<LineOnChain> =>
  readLine(context, lineId).catch((error) => {
    context.log.warn({ err: error, lineId }, 'stop: chain node does not respond, the line is not stopped yet')
    return 'unknown' as const
  })

async function reportDelivered(context: ChainContext, { lineId, keepFor }: Request): Promise<Stop> {
  const found = await applyDelivered(context, { lineId, token: null })
  if (!found) return { stopped: false, pending: true }
  const { token, to, account, txHash } = found
  if (account === null) return { stopped: false, delivered: { token, wallet: to, keptFor: null, txHash } }
  if (keepFor) await context.index.recoverCustody({ userId: keepFor, key: account })
  const keptFor = await userOfCustodyAccount(context.db, uuidOf(account))
  return { stopped: false, delivered: { token, wallet: null, keptFor, txHash } }
}

const deliveryOf = ({ token, wallet, buyerId, txHash }: Delivery) => ({
  token: token!,
  wallet: wallet && checkedAddress(wallet)!,
  keptFor: wallet ? null : buyerId,
  txHash: txHash!,
})
