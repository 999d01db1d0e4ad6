import type { Order as OrderView } from '@nifty/api/payments/public'
import { toEuros } from '@nifty/api/shapes'
import { orderState } from './line.ts'
import { isCancellable } from './order.ts'
import type { OrderDetails } from './order-details.store.ts'

/** An order as its buyer sees it: with what was entered for an unpaid gift, which operators do not need. */
export function viewOwnOrder(order: OrderDetails): OrderView {
  const view = viewOrder(order)
  return { ...view, gift: order.authorisedAt === null && view.state !== 'released' ? order.gift : null }
}

export function viewOrder(order: OrderDetails): OrderView {
  const state = orderState(order.lines)
  const isOpen = state === 'awaiting_payment' && order.cancelRequestedBy === null
  return {
    _id: order.id,
    kind: order.orderKind,
    state,
    total: toEuros(order.lines.reduce((sum, { priceCents }) => sum + priceCents, 0)),
    limit: order.orderKind === 'bid' ? toEuros(order.totalCents) : null,
    captured: toEuros(order.capturedCents),
    wallet: order.wallet,
    isGift: order.isGift,
    termsVersion: order.termsVersion,
    createdAt: order.createdAt.toISOString(),
    url: isOpen ? order.sessionUrl : null,
    expiresAt: isOpen ? order.expiresAt.toISOString() : null,
    deliverBy: order.deliverBy?.toISOString() ?? null,
    decideBy: state === 'held' && order.orderKind === 'offer' ? (order.decideBy?.toISOString() ?? null) : null,
    auctionId: order.auctionId,
    declined: order.authorisedAt === null && state !== 'held' ? order.declined : null,
    cancellable: isCancellable(order, order.lines, new Date()),
    lines: order.lines.map(viewLine),
    timeline: order.history.map(({ itemId, toState, at, note }) => ({
      state: toState,
      at: new Date(at).toISOString(),
      itemId,
      note,
    })),
  }
}

const viewLine = (line: OrderDetails['lines'][number]) => ({
  _id: line.id,
  itemId: line.itemId,
  contract: line.contract ?? '',
  identifier: line.identifier ?? '',
  name: line.name ?? '',
  image: line.image ?? '',
  sellerUsername: line.sellerUsername,
  price: toEuros(line.priceCents),
  state: line.state,
  reason: line.reason,
  txHash: line.txHash,
})
