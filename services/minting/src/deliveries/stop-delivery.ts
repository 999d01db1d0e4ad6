import type { Stop } from '@nifty/api/minting/internal'
import { tokenOf } from '@nifty/events/shapes'
import { checkedAddress } from '../chain/node.ts'
import type { ChainContext } from '../chain-transactions/chain-context.ts'
import { findToken } from '../tokens/token.store.ts'
import { stopDelivery } from './delivery.actions.ts'
import { findDelivery } from './delivery.store.ts'
import type { Delivery } from './delivery.ts'
import { applyDelivered, type LineOnChain, readLine } from './line-on-chain.ts'

type Request = { lineId: string; reason: 'cancelled' | 'deadline' }

/** Stops a line that the chain certainly has not delivered. `pending` while that is unknown. */
export async function requestStop(context: ChainContext, request: Request): Promise<Stop> {
  const { db } = context
  const delivery = await findDelivery(db, request.lineId)
  if (delivery?.state === 'final') return { stopped: false, delivered: deliveryOf(delivery) }
  if (!delivery || delivery.state === 'waiting') {
    const found = await readKnownLine(context, request.lineId)
    if (found === 'unknown') return { stopped: false, pending: true }
    if (found === 'delivered') return reportDelivered(context, request.lineId)
  }
  return { stopped: await db.transaction().execute((trx) => stopDelivery(trx, request)) }
}

const readKnownLine = (context: ChainContext, lineId: string): Promise<LineOnChain> =>
  readLine(context, lineId).catch((error) => {
    context.log.warn({ err: error, lineId }, 'stop: chain node does not respond, the line is not stopped yet')
    return 'unknown' as const
  })

async function reportDelivered(context: ChainContext, lineId: string): Promise<Stop> {
  const logged = await applyDelivered(context, lineId)
  if (!logged) return { stopped: false, pending: true }
  const { id, to } = logged.event
  const token = tokenOf(logged.event.token, String(id))
  if (to !== context.contracts.delivery)
    return { stopped: false, delivered: { token, wallet: to, keptFor: null, txHash: logged.txHash } }
  const held = await findToken(context.db, token)
  const keptFor = held?.txHash === logged.txHash ? held.ownerId : null
  return { stopped: false, delivered: { token, wallet: null, keptFor, txHash: logged.txHash } }
}

const deliveryOf = ({ token, wallet, buyerId, txHash }: Delivery) => ({
  token: token!,
  wallet: wallet && checkedAddress(wallet)!,
  keptFor: wallet ? null : buyerId,
  txHash: txHash!,
})
