import {
  accountChanged,
  accountDeleted,
  deletionRequested,
  emailConfirmationRequested,
  passwordResetRequested,
  profilePartsRemoved,
  saleMailsSwitchedOff,
  securityNoticeRequested,
  securityWarningRequested,
  sellerApplicationChanged,
  signUpRepeated,
  unusualPriceNoticed,
} from '@nifty/events/auth'
import {
  auctionBidReceived,
  auctionEnded,
  auctionNews,
  bidEnded,
  itemHidden,
  itemNews,
  offerReceived,
} from '@nifty/events/catalog'
import { giftEnded, giftOffered, withdrawalFinal } from '@nifty/events/minting'
import {
  bidHeld,
  bidReleased,
  orderAuthorised,
  orderLineAuthorised,
  orderLineCompleted,
  orderLineDisputed,
  orderLineLossAssigned,
  orderLineRefunded,
  orderLineRefundFailed,
  orderLineReleased,
  orderLineWrittenOff,
  orderPaymentFailed,
} from '@nifty/events/payments'
import { on, type Subscription } from '@nifty/service-kit/messaging/inbox'
import {
  handleAccountDeleted,
  queueAlreadyRegistered,
  queueConfirmation,
  queueDeletionRequested,
  queuePasswordReset,
  queueSecurityNotice,
  queueUnusualPrice,
} from './accounts/account.actions.ts'
import { queueApplicationMails } from './applications/application.actions.ts'
import { queueAuctionEnded, saveFirstBid } from './auctions/auction.actions.ts'
import { queueBidEnded, queueBidHeld, queueBidReleased, queueLastHour } from './auctions/bid.actions.ts'
import type { Database } from './db.ts'
import { queueGiftEndedMail, queueGiftMail } from './gifts/gift.actions.ts'
import type { Store } from './mails/email-layout.ts'
import { saveAuctionNews, saveItemNews, saveOwnSale } from './notices/notice.actions.ts'
import { queueOfferEnded, queueOfferHeld, queueOfferReceived, queueOfferReleased } from './offers/offer.actions.ts'
import { saveRecipient } from './recipients/recipient.store.ts'
import { queueProfilePartsRemoved, queueWorkHidden } from './removals/removal.actions.ts'
import {
  openLine,
  queueCompletedMails,
  queueDisputedMails,
  queueLossAssignedMail,
  queueOrderPlacedMail,
  queuePaymentFailedMail,
  queueRefundedMails,
  queueRefundFailedMail,
  queueReleasedMail,
  queueWithdrawnMail,
  queueWrittenOffMails,
} from './sales/sale.actions.ts'

/** Events that this service consumes, each with its handler. */
export const createSubscriptions = (store: Store, operatorEmail: string): Subscription<Database>[] => [
  on(accountChanged, saveRecipient),
  on(accountDeleted, (trx, event) => handleAccountDeleted(trx, event, store)),
  on(emailConfirmationRequested, (trx, event) => queueConfirmation(trx, event, store)),
  on(signUpRepeated, (trx, event) => queueAlreadyRegistered(trx, event, store)),
  on(passwordResetRequested, (trx, event) => queuePasswordReset(trx, event, store)),
  on(securityNoticeRequested, (trx, event) => queueSecurityNotice(trx, event, store)),
  on(securityWarningRequested, (trx, event) => queueSecurityNotice(trx, { ...event, to: null }, store)),
  on(sellerApplicationChanged, (trx, event) => queueApplicationMails(trx, event, { store, operatorEmail })),
  on(deletionRequested, (trx, event) => queueDeletionRequested(trx, event, store)),
  on(saleMailsSwitchedOff, (trx, event) =>
    queueSecurityNotice(trx, { ...event, what: 'sale_mails_off', to: null }, store),
  ),
  on(unusualPriceNoticed, (trx, event) => queueUnusualPrice(trx, event, store)),
  on(profilePartsRemoved, (trx, event) => queueProfilePartsRemoved(trx, event, store)),
  on(itemHidden, (trx, event) => queueWorkHidden(trx, event, store)),
  on(offerReceived, (trx, event) => queueOfferReceived(trx, event, store)),
  on(bidHeld, (trx, event) => (event.kind === 'offer' ? queueOfferHeld : queueBidHeld)(trx, event, store)),
  on(bidEnded, (trx, event) => (event.kind === 'offer' ? queueOfferEnded : queueBidEnded)(trx, event, store)),
  on(bidReleased, (trx, event) => (event.kind === 'offer' ? queueOfferReleased : queueBidReleased)(trx, event, store)),
  on(auctionBidReceived, saveFirstBid),
  on(auctionEnded, (trx, event) => queueAuctionEnded(trx, event, store)),
  on(auctionNews, (trx, event) => (event.bidders ? queueLastHour(trx, event, store) : saveAuctionNews(trx, event))),
  on(orderLineAuthorised, openLine),
  on(orderAuthorised, (trx, event) => queueOrderPlacedMail(trx, event, store)),
  on(orderPaymentFailed, (trx, event) => queuePaymentFailedMail(trx, event, store)),
  on(orderLineCompleted, async (trx, event) => {
    await queueCompletedMails(trx, event, store)
    await saveOwnSale(trx, event)
  }),
  on(orderLineWrittenOff, async (trx, event) => {
    await queueWrittenOffMails(trx, event, store)
    await saveOwnSale(trx, event)
  }),
  on(giftOffered, (trx, event) => queueGiftMail(trx, event, store)),
  on(giftEnded, (trx, event) => queueGiftEndedMail(trx, event, store)),
  on(itemNews, saveItemNews),
  on(orderLineReleased, (trx, event) => queueReleasedMail(trx, event, store)),
  on(orderLineRefunded, (trx, event) => queueRefundedMails(trx, event, store)),
  on(orderLineRefundFailed, (trx, event) => queueRefundFailedMail(trx, event, store)),
  on(orderLineDisputed, (trx, event) => queueDisputedMails(trx, event, store)),
  on(withdrawalFinal, (trx, event) => queueWithdrawnMail(trx, event, store)),
  on(orderLineLossAssigned, (trx, event) => queueLossAssignedMail(trx, event, store)),
]
