import { contactAboutOrder } from '@nifty/api/contact-about'
import { orderNumber } from '@nifty/api/order-number'
import { pages } from '@nifty/api/pages'
import { formatPrice } from '@nifty/api/price'
import { toEuros } from '@nifty/api/shapes'
import type { withdrawalFinal } from '@nifty/events/minting'
import type {
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
import { sql, type Transaction } from 'kysely'
import type { Static } from 'typebox'
import type { Database } from '../db.ts'
import type { Store } from '../mails/email-layout.ts'
import { queueMail } from '../mails/mail.actions.ts'
import { mailedWork } from '../mails/mailed-work.ts'
import { findRecipient, requireRecipient } from '../recipients/recipient.store.ts'
import { unsubscribeUrl } from '../unsubscribe/unsubscribe-token.ts'
import { type MailedOrder, orderPlaced, paymentFailed } from './order.templates.ts'
import {
  disputed,
  disputeEnded,
  lossAssigned,
  type MailedLine,
  purchased,
  refunded,
  refundFailed,
  released,
  saleDisputed,
  saleDisputeWon,
  saleRefunded,
  sold,
  writtenOff,
} from './sale.templates.ts'
import { withdrawn } from './withdrawal.templates.ts'

type Trx = Transaction<Database>

const urlOf = ({ publicUrl }: Store, page: { path: string }, orderId: string) =>
  publicUrl + page.path.replace(':id', orderId)

type EventWork = Parameters<typeof mailedWork>[1]

const contactUrl = ({ publicUrl }: Store, orderId: string) => publicUrl + contactAboutOrder(orderId)

const mailedLine = (
  store: Store,
  { orderId, priceCents, ...work }: EventWork & { orderId: string; priceCents: number },
): MailedLine => ({
  name: work.name,
  priceCents,
  orderNumber: orderNumber(orderId),
  work: mailedWork(store, work),
  contactUrl: contactUrl(store, orderId),
})

const mailedOrder = (
  store: Store,
  { orderId, totalCents, works }: Pick<Static<typeof orderAuthorised.data>, 'orderId' | 'totalCents' | 'works'>,
): MailedOrder => ({
  orderNumber: orderNumber(orderId),
  totalCents,
  works: works.map((work) => ({ ...mailedWork(store, work), detail: formatPrice(toEuros(work.priceCents)) })),
  contactUrl: contactUrl(store, orderId),
})

/** The page of an order needs a session: the lock screen, or the log-in, leads back to it. */
export const orderUrl = (store: Store, orderId: string) => urlOf(store, pages.order, orderId)

/**
 * Keeps buyer and seller until the line ends, even if they delete their accounts: its mails are still due. Does nothing
 * after the end, whose mail is stored: a replayed dead letter is handled after later events of its key.
 */
export async function openLine(trx: Trx, { lineId, buyerId, sellerId }: Static<typeof orderLineAuthorised.data>) {
  await sql`
    insert into open_line (line_id, buyer_id, seller_id) select ${lineId}, ${buyerId}, ${sellerId}
    where not exists (
      select from mail where template in ('purchased', 'written-off', 'released') and subject_id = ${lineId}
    ) on conflict do nothing`.execute(trx)
}

const closeLine = (trx: Trx, lineId: string) => trx.deleteFrom('openLine').where('lineId', '=', lineId).execute()

/** Template of the confirmation of an order, with its id as subject. */
export const ORDER_PLACED = 'order-placed'

/**
 * The confirmation of an order, when its card is held; of an offer, when its owner has accepted it; of a bid, when it
 * has won.
 */
export async function queueOrderPlacedMail(trx: Trx, event: Static<typeof orderAuthorised.data>, store: Store) {
  const buyer = await requireRecipient(trx, event.buyerId)
  await queueMail(trx, {
    store,
    template: ORDER_PLACED,
    subjectId: event.orderId,
    recipient: buyer.email,
    content: orderPlaced({
      order: mailedOrder(store, event),
      deliverBy: event.deliverBy,
      wallet: event.custody ? null : event.wallet,
      isGift: event.isGift ?? false,
      kind: event.kind ?? 'purchase',
      heldCents: event.heldCents ?? event.totalCents,
      termsVersion: event.termsVersion,
      company: store.company,
      orderUrl: orderUrl(store, event.orderId),
      termsUrl: store.publicUrl + pages.terms.path,
    }),
  })
}

/** An account that was deleted meanwhile gets none. */
export async function queuePaymentFailedMail(trx: Trx, event: Static<typeof orderPaymentFailed.data>, store: Store) {
  const buyer = await findRecipient(trx, event.buyerId)
  if (!buyer) return
  await queueMail(trx, {
    store,
    template: 'payment-failed',
    subjectId: event.orderId,
    recipient: buyer.email,
    content: paymentFailed({ order: mailedOrder(store, event), declined: event.declined }),
  })
}

export async function queueCompletedMails(trx: Trx, event: Static<typeof orderLineCompleted.data>, store: Store) {
  const buyer = await requireRecipient(trx, event.buyerId)
  await queueMail(trx, {
    store,
    template: 'purchased',
    subjectId: event.lineId,
    recipient: buyer.email,
    content: purchased({
      line: mailedLine(store, event),
      txHash: event.txHash,
      orderUrl: orderUrl(store, event.orderId),
      custody: event.custody,
      gift: event.gift,
      links: [
        { label: 'Receipt', url: urlOf(store, pages.receipt, event.orderId) },
        { label: 'Certificate', url: urlOf(store, pages.certificate, event.orderId) },
      ],
    }),
  })
  await queueSoldMail(trx, event, store)
  await closeLine(trx, event.lineId)
}

/** The hold lapsed after the delivery: the buyer keeps the work and was not charged; the seller is paid. */
export async function queueWrittenOffMails(trx: Trx, event: Static<typeof orderLineWrittenOff.data>, store: Store) {
  const buyer = await requireRecipient(trx, event.buyerId)
  await queueMail(trx, {
    store,
    template: 'written-off',
    subjectId: event.lineId,
    recipient: buyer.email,
    content: writtenOff({
      line: mailedLine(store, event),
      txHash: event.txHash,
      orderUrl: orderUrl(store, event.orderId),
      gift: event.gift,
    }),
  })
  await queueSoldMail(trx, event, store)
  await closeLine(trx, event.lineId)
}

type Sold = Static<typeof orderLineCompleted.data> | Static<typeof orderLineWrittenOff.data>

async function queueSoldMail(trx: Trx, event: Sold, store: Store) {
  const seller = await findRecipient(trx, event.sellerId)
  if (!seller?.wantsMessages) return
  await queueMail(trx, {
    store,
    template: 'sold',
    subjectId: event.lineId,
    recipient: seller.email,
    content: ({ unsubscribe }) =>
      sold({
        line: mailedLine(store, event),
        sellerCents: event.sellerCents,
        studioUrl: `${store.publicUrl}/studio`,
        unsubscribeUrl: unsubscribeUrl(store.publicUrl, unsubscribe),
      }),
    unsubscribe: { list: 'message', id: event.sellerId },
  })
}

/** Without a card hold the buyer left the checkout unpaid: no mail. */
export async function queueReleasedMail(trx: Trx, event: Static<typeof orderLineReleased.data>, store: Store) {
  if (event.moneyWasHeld) {
    const buyer = await requireRecipient(trx, event.buyerId)
    await queueMail(trx, {
      store,
      template: 'released',
      subjectId: event.lineId,
      recipient: buyer.email,
      content: released({
        line: mailedLine(store, event),
        reason: event.reason,
        exploreUrl: `${store.publicUrl}/explore-one`,
      }),
    })
  }
  await closeLine(trx, event.lineId)
}

/** One mail for each refund of a line to the buyer, and of a delivered one to the seller, whose share is held back. */
export async function queueRefundedMails(trx: Trx, event: Static<typeof orderLineRefunded.data>, store: Store) {
  const { refundId, lineId, orderId, buyerId, sellerId, refundedCents } = event
  const subjectId = refundId === undefined ? lineId : `${refundId}.${lineId}`
  const buyer = await findRecipient(trx, buyerId)
  if (buyer)
    await queueMail(trx, {
      store,
      template: 'refunded',
      subjectId,
      recipient: buyer.email,
      content: refunded({ line: mailedLine(store, event), refundedCents, orderUrl: orderUrl(store, orderId) }),
    })
  const seller = event.delivered === false ? undefined : await findRecipient(trx, sellerId)
  if (seller)
    await queueMail(trx, {
      store,
      template: 'sale-refunded',
      subjectId,
      recipient: seller.email,
      content: saleRefunded({ line: mailedLine(store, event), refundedCents, studioUrl: `${store.publicUrl}/studio` }),
    })
}

export async function queueRefundFailedMail(trx: Trx, event: Static<typeof orderLineRefundFailed.data>, store: Store) {
  const buyer = await findRecipient(trx, event.buyerId)
  if (!buyer) return
  await queueMail(trx, {
    store,
    template: 'refund-failed',
    subjectId: event.refundId,
    recipient: buyer.email,
    content: refundFailed({
      line: mailedLine(store, event),
      refundedCents: event.refundedCents,
      orderUrl: orderUrl(store, event.orderId),
    }),
  })
}

/** Each decision about a loss has a mail to the seller: it may be changed later. */
export async function queueLossAssignedMail(trx: Trx, event: Static<typeof orderLineLossAssigned.data>, store: Store) {
  const seller = await findRecipient(trx, event.sellerId)
  if (!seller) return
  const { reversalId, lineId, at, kind, borneBy, lostCents } = event
  await queueMail(trx, {
    store,
    template: 'loss-assigned',
    subjectId: `${reversalId}.${lineId}.${at}`,
    recipient: seller.email,
    content: lossAssigned({
      line: mailedLine(store, event),
      kind,
      borneBy,
      lostCents,
      studioUrl: `${store.publicUrl}/studio`,
    }),
  })
}

/** One mail for each line of a dispute and each stage, to buyer and seller, unless either was deleted meanwhile. */
export async function queueDisputedMails(trx: Trx, event: Static<typeof orderLineDisputed.data>, store: Store) {
  const { stage, reversalId, lineId, orderId, buyerId, sellerId } = event
  const line = mailedLine(store, event)
  const subjectId = `${reversalId}.${lineId}`
  const toBuyer = { line, orderUrl: orderUrl(store, orderId) }
  const toSeller = { line, studioUrl: `${store.publicUrl}/studio` }
  const buyer = await findRecipient(trx, buyerId)
  if (buyer)
    await queueMail(trx, {
      store,
      subjectId,
      recipient: buyer.email,
      ...(stage === 'opened'
        ? { template: 'disputed', content: disputed(toBuyer) }
        : { template: 'dispute-ended', content: disputeEnded(toBuyer) }),
    })
  const seller = await findRecipient(trx, sellerId)
  if (seller)
    await queueMail(trx, {
      store,
      subjectId,
      recipient: seller.email,
      ...(stage === 'opened'
        ? { template: 'sale-disputed', content: saleDisputed(toSeller) }
        : { template: 'sale-dispute-won', content: saleDisputeWon(toSeller) }),
    })
}

/** A deleted account, whose works an operator handed back, gets none. */
export async function queueWithdrawnMail(trx: Trx, event: Static<typeof withdrawalFinal.data>, store: Store) {
  const owner = await findRecipient(trx, event.userId)
  if (!owner) return
  const { withdrawalId, name, token, image, wallet, txHash } = event
  const work = name === undefined ? null : mailedWork(store, { name, token, image })
  await queueMail(trx, {
    store,
    template: 'withdrawn',
    subjectId: withdrawalId,
    recipient: owner.email,
    content: withdrawn({ work, wallet, txHash, itemUrl: mailedWork(store, { name: '', token }).url }),
  })
}
