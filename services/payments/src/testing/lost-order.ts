import { randomUUID } from 'node:crypto'
import { tokenOf } from '@nifty/events/shapes'
import type { Order } from '../db.ts'
import { rebuildLostOrders } from '../orders/rebuild.actions.ts'
import { sessionRequest } from '../orders/steps/session-request.ts'
import { runDueSteps } from './due-steps.ts'
import type { Payments } from './payments.ts'
import { type Item, wallet } from './peers.ts'
import { txHash } from './sale.ts'

/**
 * An order that was placed after the backup: at the processor, and an offer or a bid in catalog. `to` null: into
 * custody.
 */
export async function givenLostOrder(
  { deps, peers }: Payments,
  items: Item[] = [peers.givenItem()],
  to: string | null = wallet,
  orderKind: Order['orderKind'] = 'purchase',
  buyerId: string = randomUUID(),
  customerId: string | null = null,
) {
  const order = {
    orderKind,
    days: orderKind === 'offer' ? (3 as const) : null,
    id: randomUUID() as string,
    buyerId,
    wallet: to,
    termsVersion: 'v1',
    commissionBps: 1_000,
  }
  const sold = items.map((item) => ({ ...item, lineId: randomUUID() as string }))
  const expiresAt = new Date(Date.now() + 35 * 60_000)
  const { publicUrl, processor, threeDSecureFromCents } = deps.config
  const stored = { ...order, expiresAt } as Order
  const request = sessionRequest({
    order: stored,
    lines: sold,
    email: null,
    customerId,
    buyer: { accountDays: null, works: 0 },
    threeDSecureFromCents,
    storeId: deps.storeId,
    publicUrl,
    sandboxUrl: processor.apiUrl,
  })
  const session = await deps.processor.createSession(request, `cs:${order.id}`)
  const [{ itemId, priceCents: limitCents }] = items as [Item, ...Item[]]
  if (orderKind !== 'purchase')
    peers.givenBid({
      orderId: order.id,
      kind: orderKind,
      itemId,
      buyerId: order.buyerId,
      buyerWallet: to,
      limitCents,
      days: order.days,
    })
  return { orderId: order.id, buyerId: order.buyerId, session, sold }
}

type Lost = Awaited<ReturnType<typeof givenLostOrder>>

/** Returns the id of the intent. */
export async function pay({ sandbox, deps }: Payments, { session }: Lost) {
  await sandbox.pay(session.url!)
  return (await deps.processor.session(session.id)).hold!.id
}

type Sold = Pick<Item, 'contract' | 'identifier'> & { lineId: string }

/** `keptFor`: the account for which a delivery without a wallet is in custody. */
export const deliverOnChain = (
  { peers }: Payments,
  { lineId, contract, identifier }: Sold,
  to: string | { keptFor: string } = wallet,
) => {
  const recipient = typeof to === 'string' ? { wallet: to, keptFor: null } : { wallet: null, ...to }
  peers.deliveredLines.set(lineId, { token: tokenOf(contract, identifier), ...recipient, txHash })
}

/** For payments without workers. */
export async function rebuildAll({ deps }: Payments) {
  await rebuildLostOrders(deps)
  await runDueSteps(deps)
}
