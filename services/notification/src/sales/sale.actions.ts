import type {
  orderLineAuthorised,
  orderLineCompleted,
  orderLineLossAssigned,
  orderLineRefunded,
  orderLineRefundFailed,
  orderLineReleased,
  orderLineWrittenOff,
} from '@nifty/events/payments'
import type { Transaction } from 'kysely'
import type { Static } from 'typebox'
import type { Database } from '../db.ts'
import { queueMail } from '../mails/mail.actions.ts'
import { findRecipient } from '../recipients/recipient.store.ts'
import { unsubscribeUrl } from '../unsubscribe/unsubscribe-token.ts'
import {
  lossAssigned,
  purchased,
  refunded,
  refundFailed,
  released,
  saleRefunded,
  sold,
  writtenOff,
} from './sale.templates.ts'

type Trx = Transaction<Database>

const orderUrl = (publicUrl: string, orderId: string) => `${publicUrl}/purchase-thanks?order=${orderId}`

/** Keeps buyer and seller until the line ends, even if they delete their accounts: its mails are still due. */
export async function openLine(trx: Trx, { lineId, buyerId, sellerId }: Static<typeof orderLineAuthorised.data>) {
  await trx
    .insertInto('openLine')
    .values({ lineId, buyerId, sellerId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

const closeLine = (trx: Trx, lineId: string) => trx.deleteFrom('openLine').where('lineId', '=', lineId).execute()

/** Throws when auth's event has not arrived yet; the message is then retried. */
async function requireRecipient(trx: Trx, userId: string) {
  const recipient = await findRecipient(trx, userId)
  if (!recipient) throw new Error(`no account-changed event for account ${userId} yet`)
  return recipient
}

export async function queueCompletedMails(trx: Trx, event: Static<typeof orderLineCompleted.data>, publicUrl: string) {
  const buyer = await requireRecipient(trx, event.buyerId)
  await queueMail(trx, {
    template: 'purchased',
    subjectId: event.lineId,
    recipient: buyer.email,
    content: purchased({
      line: event,
      txHash: event.txHash,
      orderUrl: orderUrl(publicUrl, event.orderId),
      custody: event.custody,
    }),
  })
  await queueSoldMail(trx, event, publicUrl)
  await closeLine(trx, event.lineId)
}

/** The hold lapsed after the delivery: the buyer keeps the work and was not charged; the seller is paid. */
export async function queueWrittenOffMails(
  trx: Trx,
  event: Static<typeof orderLineWrittenOff.data>,
  publicUrl: string,
) {
  const buyer = await requireRecipient(trx, event.buyerId)
  await queueMail(trx, {
    template: 'written-off',
    subjectId: event.lineId,
    recipient: buyer.email,
    content: writtenOff({ line: event, txHash: event.txHash, orderUrl: orderUrl(publicUrl, event.orderId) }),
  })
  await queueSoldMail(trx, event, publicUrl)
  await closeLine(trx, event.lineId)
}

type Sold = Static<typeof orderLineCompleted.data> | Static<typeof orderLineWrittenOff.data>

async function queueSoldMail(trx: Trx, event: Sold, publicUrl: string) {
  const seller = await findRecipient(trx, event.sellerId)
  if (!seller?.wantsMessages) return
  await queueMail(trx, {
    template: 'sold',
    subjectId: event.lineId,
    recipient: seller.email,
    content: ({ unsubscribe }) =>
      sold({
        line: event,
        sellerCents: event.sellerCents,
        studioUrl: `${publicUrl}/studio`,
        unsubscribeUrl: unsubscribeUrl(publicUrl, unsubscribe),
      }),
    unsubscribe: { list: 'message', id: event.sellerId },
  })
}

/** Without a card hold the buyer left the checkout unpaid: no mail. */
export async function queueReleasedMail(trx: Trx, event: Static<typeof orderLineReleased.data>, publicUrl: string) {
  if (event.moneyWasHeld) {
    const buyer = await requireRecipient(trx, event.buyerId)
    await queueMail(trx, {
      template: 'released',
      subjectId: event.lineId,
      recipient: buyer.email,
      content: released({ line: event, reason: event.reason, exploreUrl: `${publicUrl}/explore-one` }),
    })
  }
  await closeLine(trx, event.lineId)
}

/** One mail for each refund of a line to the buyer, and of a delivered one to the seller, whose share is held back. */
export async function queueRefundedMails(trx: Trx, event: Static<typeof orderLineRefunded.data>, publicUrl: string) {
  const { refundId, lineId, orderId, buyerId, sellerId, refundedCents } = event
  const subjectId = refundId === undefined ? lineId : `${refundId}.${lineId}`
  const buyer = await findRecipient(trx, buyerId)
  if (buyer)
    await queueMail(trx, {
      template: 'refunded',
      subjectId,
      recipient: buyer.email,
      content: refunded({ line: event, refundedCents, orderUrl: orderUrl(publicUrl, orderId) }),
    })
  const seller = event.delivered === false ? undefined : await findRecipient(trx, sellerId)
  if (seller)
    await queueMail(trx, {
      template: 'sale-refunded',
      subjectId,
      recipient: seller.email,
      content: saleRefunded({ line: event, refundedCents, studioUrl: `${publicUrl}/studio` }),
    })
}

export async function queueRefundFailedMail(
  trx: Trx,
  event: Static<typeof orderLineRefundFailed.data>,
  publicUrl: string,
) {
  const buyer = await findRecipient(trx, event.buyerId)
  if (!buyer) return
  await queueMail(trx, {
    template: 'refund-failed',
    subjectId: event.refundId,
    recipient: buyer.email,
    content: refundFailed({
      line: event,
      refundedCents: event.refundedCents,
      orderUrl: orderUrl(publicUrl, event.orderId),
    }),
  })
}

/** Each decision about a loss has a mail to the seller: it may be changed later. */
export async function queueLossAssignedMail(
  trx: Trx,
  event: Static<typeof orderLineLossAssigned.data>,
  publicUrl: string,
) {
  const seller = await findRecipient(trx, event.sellerId)
  if (!seller) return
  const { reversalId, lineId, at, kind, borneBy, lostCents } = event
  await queueMail(trx, {
    template: 'loss-assigned',
    subjectId: `${reversalId}.${lineId}.${at}`,
    recipient: seller.email,
    content: lossAssigned({ line: event, kind, borneBy, lostCents, studioUrl: `${publicUrl}/studio` }),
  })
}
