import { accountDeleted } from '@nifty/events/auth'
import { delistRequested } from '@nifty/events/catalog'
import type { Log } from '@nifty/service-kit/logs'
import { on, type Subscription } from '@nifty/service-kit/messaging/inbox'
import type { Database } from './db.ts'
import { wishUnpaidOrderEnded, wishUnpaidOrdersOfBuyerEnded } from './orders/cancellation.actions.ts'
import { deliverySubscriptions } from './orders/delivery.consumers.ts'
import { forgetSeller } from './orders/line.store.ts'

/** Everything this service listens to. */
export const subscriptions = (log: Log): Subscription<Database>[] => [
  ...deliverySubscriptions(log),
  on(delistRequested, (trx, { orderId }) => wishUnpaidOrderEnded(trx, orderId, 'seller')),
  on(accountDeleted, async (trx, { userId }) => {
    await wishUnpaidOrdersOfBuyerEnded(trx, userId)
    await forgetSeller(trx, userId)
  }),
]
