import { setTimeout as sleep } from 'node:timers/promises'
import type { Stop } from '@nifty/api/minting/internal'
import { tokenOf } from '@nifty/events/shapes'
import { checkedAddress } from '../chain/node.ts'
import type { ChainContext } from '../chain-transactions/chain-context.ts'
import { stopDelivery } from './delivery.actions.ts'
import { findDelivery } from './delivery.store.ts'
import type { Delivery } from './delivery.ts'
import { applyDelivered, type LineOnChain, readLine } from './line-on-chain.ts'

/** The index is usually less than one poll behind; callers time out after 5 s. */
const WAIT_FOR_INDEX_MS = 2_000
const READ_EVERY_MS = 100

type Request = { lineId: string; reason: 'cancelled' | 'deadline' }

/** Stops a line that the chain certainly has not delivered. `pending` while that is unknown. */
export async function requestStop(context: ChainContext, request: Request): Promise<Stop> {
  const { db } = context
  const delivery = await findDelivery(db, request.lineId)
  if (delivery?.state === 'final') return { stopped: false, delivered: deliveryOf(delivery) }
  if (!delivery || delivery.state === 'waiting') {
    const found = await readSettledLine(context, request.lineId)
    if (found === 'unknown') return { stopped: false, pending: true }
    if (found === 'delivered') return reportDelivered(context, request.lineId)
  }
  return { stopped: await db.transaction().execute((trx) => stopDelivery(trx, request)) }
}

/** Waits a moment for the index; `unknown` when the node does not respond. */
async function readSettledLine(context: ChainContext, lineId: string): Promise<LineOnChain> {
  const until = performance.now() + WAIT_FOR_INDEX_MS
  for (;;) {
    const found = await readLine(context, lineId).catch((error) => {
      context.log.warn({ err: error, lineId }, 'stop: chain node does not respond, the line is not stopped yet')
      return 'no response' as const
    })
    if (found === 'no response') return 'unknown'
    if (found !== 'unknown' || performance.now() > until) return found
    await sleep(READ_EVERY_MS)
  }
}

async function reportDelivered(context: ChainContext, lineId: string): Promise<Stop> {
  const logged = await applyDelivered(context, lineId)
  if (!logged?.isFinal) return { stopped: false, pending: true }
  const { token, id, to } = logged.event
  return { stopped: false, delivered: { token: tokenOf(token, String(id)), wallet: to, txHash: logged.txHash } }
}

const deliveryOf = ({ token, wallet, txHash }: Delivery) => ({
  token: token!,
  wallet: checkedAddress(wallet!)!,
  txHash: txHash!,
})
