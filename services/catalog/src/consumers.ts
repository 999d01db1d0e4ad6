import { accountChanged, accountDeleted, passwordReset } from '@nifty/events/auth'
import { deliveryFinal, tokenContested, tokenMinted, tokenMoved } from '@nifty/events/minting'
import {
  bidReleased,
  orderLineAbandoned,
  orderLineAuthorised,
  orderLineCleared,
  orderLineContested,
  orderLineReleased,
} from '@nifty/events/payments'
import { on, type Subscription } from '@nifty/service-kit/messaging/inbox'
import { eraseAccount, updateAccount } from './accounts/account.actions.ts'
import { addCard } from './accounts/buyer.store.ts'
import { releaseBid, releaseOrder } from './bidding/bid.actions.ts'
import type { Database } from './db.ts'
import { clearItem, contestItem, endContestedListing } from './items/contest.actions.ts'
import { addItem, moveItem } from './items/item.actions.ts'
import { closeSale } from './items/reservation.actions.ts'
import { applyAccountChange, applyPasswordReset } from './items/seller.actions.ts'

/** All events that catalog consumes. */
export const subscriptions: Subscription<Database>[] = [
  on(tokenMinted, addItem),
  on(tokenMoved, moveItem),
  on(tokenContested, endContestedListing),
  on(deliveryFinal, closeSale),
  on(orderLineAuthorised, async (trx, { buyerId: userId, card }) => {
    if (card) await addCard(trx, { userId, card })
  }),
  on(orderLineReleased, releaseOrder),
  on(orderLineAbandoned, releaseOrder),
  on(bidReleased, releaseBid),
  on(orderLineContested, contestItem),
  on(orderLineCleared, clearItem),
  on(accountChanged, async (trx, data) => applyAccountChange(trx, await updateAccount(trx, data))),
  on(passwordReset, applyPasswordReset),
  on(accountDeleted, async (trx, data) => applyAccountChange(trx, await eraseAccount(trx, data))),
]
