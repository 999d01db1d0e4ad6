import { accountChanged, accountDeleted } from '@nifty/events/auth'
import { deliveryFinal, tokenMinted, tokenMoved } from '@nifty/events/minting'
import { orderLineAbandoned, orderLineReleased } from '@nifty/events/payments'
import { on, type Subscription } from '@nifty/service-kit/messaging/inbox'
import { eraseAccount, takeAccount } from './accounts/account.actions.ts'
import type { Database } from './db.ts'
import { addItem, moveToken } from './items/item.actions.ts'
import { closeSale, releaseOrder } from './items/reservation.actions.ts'

/** Everything this service listens to. */
export const subscriptions: Subscription<Database>[] = [
  on(tokenMinted, addItem),
  on(tokenMoved, moveToken),
  on(deliveryFinal, closeSale),
  on(orderLineReleased, releaseOrder),
  on(orderLineAbandoned, releaseOrder),
  on(accountChanged, takeAccount),
  on(accountDeleted, eraseAccount),
]
