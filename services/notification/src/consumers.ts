import {
  accountChanged,
  accountDeleted,
  deletionRequested,
  emailConfirmationRequested,
  passwordResetRequested,
  saleMailsSwitchedOff,
  securityNoticeRequested,
  securityWarningRequested,
  signUpRepeated,
  unusualPriceNoticed,
} from '@nifty/events/auth'
import { itemNews } from '@nifty/events/catalog'
import {
  orderLineAuthorised,
  orderLineCompleted,
  orderLineLossAssigned,
  orderLineRefunded,
  orderLineRefundFailed,
  orderLineReleased,
  orderLineWrittenOff,
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
import type { Database } from './db.ts'
import { saveItemNews, saveOwnSale } from './notices/notice.actions.ts'
import { saveRecipient } from './recipients/recipient.store.ts'
import {
  openLine,
  queueCompletedMails,
  queueLossAssignedMail,
  queueRefundedMails,
  queueRefundFailedMail,
  queueReleasedMail,
  queueWrittenOffMails,
} from './sales/sale.actions.ts'

/** Events that this service consumes, each with its handler. */
export const createSubscriptions = (publicUrl: string): Subscription<Database>[] => [
  on(accountChanged, saveRecipient),
  on(accountDeleted, (trx, event) => handleAccountDeleted(trx, event, publicUrl)),
  on(emailConfirmationRequested, (trx, event) => queueConfirmation(trx, event, publicUrl)),
  on(signUpRepeated, (trx, event) => queueAlreadyRegistered(trx, event, publicUrl)),
  on(passwordResetRequested, (trx, event) => queuePasswordReset(trx, event, publicUrl)),
  on(securityNoticeRequested, (trx, event) => queueSecurityNotice(trx, event, publicUrl)),
  on(securityWarningRequested, (trx, event) => queueSecurityNotice(trx, { ...event, to: null }, publicUrl)),
  on(deletionRequested, (trx, event) => queueDeletionRequested(trx, event, publicUrl)),
  on(saleMailsSwitchedOff, (trx, event) =>
    queueSecurityNotice(trx, { ...event, what: 'sale_mails_off', to: null }, publicUrl),
  ),
  on(unusualPriceNoticed, (trx, event) => queueUnusualPrice(trx, event, publicUrl)),
  on(orderLineAuthorised, openLine),
  on(orderLineCompleted, async (trx, event) => {
    await queueCompletedMails(trx, event, publicUrl)
    await saveOwnSale(trx, event)
  }),
  on(orderLineWrittenOff, async (trx, event) => {
    await queueWrittenOffMails(trx, event, publicUrl)
    await saveOwnSale(trx, event)
  }),
  on(itemNews, saveItemNews),
  on(orderLineReleased, (trx, event) => queueReleasedMail(trx, event, publicUrl)),
  on(orderLineRefunded, (trx, event) => queueRefundedMails(trx, event, publicUrl)),
  on(orderLineRefundFailed, (trx, event) => queueRefundFailedMail(trx, event, publicUrl)),
  on(orderLineLossAssigned, (trx, event) => queueLossAssignedMail(trx, event, publicUrl)),
]
