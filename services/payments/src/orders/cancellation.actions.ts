import type { Kysely, Transaction } from 'kysely'
import type { CancelRequestedBy, Database, Order } from '../db.ts'
import { linesOf } from './line.store.ts'
import { isUndecided, isUnpaid } from './line.ts'
import { bidBinding, deliveryStarted, offerAccepted, orderNotFound } from './order.errors.ts'
import { type LockedOrder, lockOrder, setCancelRequest, wakeOrder } from './order.store.ts'
import { isStoppable, isUnsold, strongerRequest } from './order.ts'

/**
 * Stores a cancellation request; the steps act on it afterwards. Locks the order. Returns false when all of it is
 * released already. Throws 404 `order_not_found`, and 409 `delivery_started` when every line is delivered, for a buyer
 * `offer_accepted` of an offer that was, `bid_binding` of a bid whose card is held.
 */
export async function requestCancellation(
  trx: Transaction<Database>,
  orderId: string,
  by: CancelRequestedBy,
): Promise<boolean> {
  const order = await lockOrder(trx, orderId)
  if (!order) throw orderNotFound()
  const lines = await linesOf(trx, orderId)
  if (lines.every(({ state }) => state === 'released')) return false
  if (by === 'buyer' && order.orderKind === 'offer' && !lines.some(isUnsold)) throw offerAccepted()
  if (by === 'buyer' && order.orderKind === 'bid' && !lines.some(isUnpaid)) throw bidBinding()
  if (!isStoppable(lines)) throw deliveryStarted()
  await setCancelRequest(trx, orderId, strongerRequest(order.cancelRequestedBy, by))
  await wakeOrder(trx, orderId)
  return true
}

const tooLate = { purchase: deliveryStarted, offer: offerAccepted, bid: bidBinding }

/**
 * After the steps ran: throws 409 `delivery_started`, `offer_accepted` or `bid_binding` unless a line was released or
 * the request is still pending.
 */
export async function refuseIfDeliveryStarted(db: Kysely<Database>, order: Order) {
  const lines = await linesOf(db, order.id)
  const hasReleased = lines.some(({ state }) => state === 'released')
  const isPending = order.cancelRequestedBy !== null && isStoppable(lines)
  if (!hasReleased && !isPending) throw tooLate[order.orderKind]()
}

/**
 * Stops whatever of an order is not delivered yet, if that is still possible: unpaid lines, and those that minting has
 * not signed or that no block has. Idempotent. The caller has the order's lock.
 */
export async function stopUndelivered(
  trx: Transaction<Database>,
  order: LockedOrder,
  by: 'operator' | 'dispute' | 'suspension',
) {
  if (!isStoppable(await linesOf(trx, order.id))) return
  await setCancelRequest(trx, order.id, strongerRequest(order.cancelRequestedBy, by))
  await wakeOrder(trx, order.id)
}

/** After the seller's account was frozen or suspended. */
export async function stopOrderOfSeller(trx: Transaction<Database>, orderId: string) {
  const order = await lockOrder(trx, orderId)
  if (order) await stopUndelivered(trx, order, 'suspension')
}

/** Requests the cancellation of an unpaid order; a paid one is left alone. A payment in the same moment wins. */
export async function requestCancellationIfUnpaid(trx: Transaction<Database>, orderId: string, by: CancelRequestedBy) {
  const order = await lockOrder(trx, orderId)
  if (!order || !(await linesOf(trx, orderId)).some(isUnpaid)) return
  await setCancelRequest(trx, orderId, strongerRequest(order.cancelRequestedBy, by))
  await wakeOrder(trx, orderId)
}

/**
 * After the buyer's account was deleted: unpaid orders are cancelled, offers and bids that are not decided, and paid
 * ones into custody, which no account could reach, unless minting has signed their delivery. Paid ones to a wallet are
 * still delivered.
 */
export async function requestCancellationOfBuyer(trx: Transaction<Database>, buyerId: string) {
  const rows = await trx
    .selectFrom('line')
    .innerJoin('orders', 'orders.id', 'line.orderId')
    .select('orderId')
    .distinct()
    .where('line.buyerId', '=', buyerId)
    .where('state', 'in', ['placed', 'awaiting_payment', 'held', 'authorised'])
    .orderBy('orderId')
    .execute()
  for (const { orderId } of rows) await cancelOrderOfDeleted(trx, orderId)
}

async function cancelOrderOfDeleted(trx: Transaction<Database>, orderId: string) {
  const order = await lockOrder(trx, orderId)
  if (!order) return
  const lines = await linesOf(trx, orderId)
  const isUndelivered = order.wallet === null && isStoppable(lines)
  if (!isUndelivered && !lines.some(isUnsold)) return
  // The deletion itself does not end what is paid.
  const by = order.wallet === null && !lines.some(isUndecided) ? 'buyer' : 'account'
  await setCancelRequest(trx, orderId, strongerRequest(order.cancelRequestedBy, by))
  await wakeOrder(trx, orderId)
}
