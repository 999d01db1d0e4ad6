import type { Stop } from '@nifty/api/minting/internal'
import { checkedAddress } from '@nifty/contracts/address'
import { uuidOf } from '@nifty/contracts/keys'
import { userOfCustodyAccount } from '../accounts/account.store.ts'
import type { ChainContext } from '../chain-transactions/chain-context.ts'
import { stopDelivery } from './delivery.actions.ts'
import { findDelivery } from './delivery.store.ts'
import type { Delivery } from './delivery.ts'
import { applyDelivered, type LineOnChain, readLine } from './line-on-chain.ts'

/** `keepFor`: the buyer of a line into custody. */
type Request = { lineId: string; reason: 'cancelled' | 'deadline'; keepFor?: string }

/** Stops a line that the chain certainly has not delivered. `pending` while that is unknown. */
export async function requestStop(context: ChainContext, request: Request): Promise<Stop> {
  const { db } = context
  const delivery = await findDelivery(db, request.lineId)
  if (delivery?.state === 'final') return { stopped: false, delivered: deliveryOf(delivery) }
  if (!delivery || delivery.state === 'waiting') {
    const found = await readKnownLine(context, request.lineId)
    if (found === 'unknown') return { stopped: false, pending: true }
    if (found === 'delivered') return reportDelivered(context, request)
  }
  return { stopped: await db.transaction().execute((trx) => stopDelivery(trx, request)) }
}

const readKnownLine = (context: ChainContext, lineId: string): Promise<LineOnChain> =>
  readLine(context, lineId).catch((error) => {
    context.log.warn({ err: error, lineId }, 'stop: chain node does not respond, the line is not stopped yet')
    return 'unknown' as const
  })

async function reportDelivered(context: ChainContext, { lineId, keepFor }: Request): Promise<Stop> {
  const found = await applyDelivered(context, lineId)
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
