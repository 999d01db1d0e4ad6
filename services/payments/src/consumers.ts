import { accountDeleted } from '@nifty/events/auth'
import { bidEnded, delistRequested } from '@nifty/events/catalog'
import type { Log } from '@nifty/service-kit/base/logs'
import { on, type Subscription } from '@nifty/service-kit/messaging/inbox'
import { keepPayee } from './books/payee.store.ts'
import { requestRemoval } from './card-customers/card-customer.store.ts'
import type { Database } from './db.ts'
import { deleteNotesOf } from './ops/order-note.store.ts'
import { applyBidEnded } from './orders/bid.actions.ts'
import {
  requestCancellationIfUnpaid,
  requestCancellationOfBuyer,
  stopOrderOfSeller,
} from './orders/cancellation.actions.ts'
import { deliverySubscriptions } from './orders/delivery.consumers.ts'
import { eraseSellerName } from './orders/line.store.ts'

/** All events that this service consumes. */
export const subscriptions = (log: Log): Subscription<Database>[] => [
  ...deliverySubscriptions(log),
  on(delistRequested, (trx, { orderId, suspended }) =>
    suspended ? stopOrderOfSeller(trx, orderId) : requestCancellationIfUnpaid(trx, orderId, 'seller'),
  ),
  on(bidEnded, applyBidEnded),
  on(accountDeleted, async (trx, { userId, firstName, username, email, at }) => {
    await requestCancellationOfBuyer(trx, userId)
    await keepPayee(trx, { userId, firstName, username, email, deletedAt: new Date(at) })
    await eraseSellerName(trx, userId)
    await deleteNotesOf(trx, userId)
    await requestRemoval(trx, userId)
  }),
]
