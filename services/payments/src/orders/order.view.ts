import type { Order as OrderView } from '@nifty/api/payments/public'
import { toEuros } from '@nifty/api/shapes'
import type { Kysely } from 'kysely'
import type { Database, Line, Order } from '../db.ts'
import { historyOf, linesOfOrders } from './line.store.ts'
import { orderState } from './line.ts'
import { isCancellable } from './order.ts'

/** Orders as their buyer sees them, in the sequence given. */
export async function viewOrders(db: Kysely<Database>, orders: Order[]): Promise<OrderView[]> {
  const lines = await linesOfOrders(
    db,
    orders.map(({ id }) => id),
  )
  const history = await historyOf(
    db,
    lines.map(({ id }) => id),
  )
  const linesByOrder = Map.groupBy(lines, ({ orderId }) => orderId)
  const itemOf = new Map(lines.map(({ id, itemId }) => [id, itemId]))
  const stepsByLine = Map.groupBy(history, ({ lineId }) => lineId)

  return orders.map((order) => {
    const own = linesByOrder.get(order.id) ?? []
    const steps = own.flatMap(({ id }) => stepsByLine.get(id) ?? []).sort((a, b) => a.id - b.id)
    const state = orderState(own)
    const isOpen = state === 'awaiting_payment' && order.cancelRequestedBy === null
    return {
      _id: order.id,
      state,
      total: toEuros(order.totalCents),
      captured: toEuros(order.capturedCents),
      wallet: order.wallet,
      termsVersion: order.termsVersion,
      createdAt: order.createdAt.toISOString(),
      url: isOpen ? order.sessionUrl : null,
      expiresAt: isOpen ? order.expiresAt.toISOString() : null,
      deliverBy: order.deliverBy?.toISOString() ?? null,
      cancellable: isCancellable(order, own),
      lines: own.map(viewLine),
      timeline: steps.map(({ lineId, toState, at, note }) => ({
        state: toState,
        at: at.toISOString(),
        itemId: itemOf.get(lineId)!,
        note,
      })),
    }
  })
}

const viewLine = (line: Line) => ({
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
