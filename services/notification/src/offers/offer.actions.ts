import { contactAboutOrder } from '@nifty/api/contact-about'
import type { NoticeKind } from '@nifty/api/notification/notices'
import { orderNumber } from '@nifty/api/order-number'
import { pages } from '@nifty/api/pages'
import type { bidEnded, offerReceived } from '@nifty/events/catalog'
import type { bidHeld, bidReleased } from '@nifty/events/payments'
import type { Transaction } from 'kysely'
import type { Static } from 'typebox'
import type { Database } from '../db.ts'
import type { Store } from '../mails/email-layout.ts'
import { queueMail } from '../mails/mail.actions.ts'
import { dropWaitingMailsOf, isMailStored } from '../mails/mail.store.ts'
import { mailedWork } from '../mails/mailed-work.ts'
import { saveOwnNotice } from '../notices/notice.actions.ts'
import { findRecipient } from '../recipients/recipient.store.ts'
import { ORDER_PLACED, orderUrl } from '../sales/sale.actions.ts'
import { unsubscribeUrl } from '../unsubscribe/unsubscribe-token.ts'
import * as mails from './offer.templates.ts'

type Trx = Transaction<Database>
type Ended = Static<typeof bidEnded.data>
type Received = Static<typeof offerReceived.data>

const RECEIVED = 'offer-received'
const HELD = 'offer-held'
const ENDED = 'offer-ended'

const mailedOffer = (store: Store, { contract, identifier, name, image, priceCents }: Lost | Received) => ({
  work: mailedWork(store, { name, token: `${contract}/${identifier}`, image }),
  priceCents,
})

/**
 * A mail to the buyer that the card is held, which is not sent any more once the offer is over. Nothing when the event
 * arrives after that of the offer's end.
 */
export async function queueOfferHeld(trx: Trx, event: Static<typeof bidHeld.data>, store: Store) {
  const { orderId, buyerId, endsAt } = event
  if (await isOver(trx, orderId)) return
  const buyer = await findRecipient(trx, buyerId)
  if (!buyer || buyer.deletedAt !== null) return
  await queueMail(trx, {
    store,
    template: HELD,
    subjectId: orderId,
    recipient: buyer.email,
    content: mails.offerHeld({
      offer: { work: mailedWork(store, event), priceCents: event.priceCents },
      endsAt,
      orderNumber: orderNumber(orderId),
      orderUrl: orderUrl(store, orderId),
      contactUrl: store.publicUrl + contactAboutOrder(orderId),
    }),
  })
}

/**
 * A notice for the owner, and a mail unless the flag `message` is off; it is not sent any more once the offer is over.
 * Nothing when the event arrives after that of the offer's end.
 */
export async function queueOfferReceived(trx: Trx, event: Received, store: Store) {
  const { orderId, ownerId, endsAt } = event
  if (await isOver(trx, orderId)) return
  // Offers of several collectors are open at a time.
  await saveOwnNotice(trx, ownerId, { ...event, what: 'offer_received', itemId: orderId })
  const owner = await findRecipient(trx, ownerId)
  if (!owner?.wantsMessages || owner.deletedAt !== null) return
  await queueMail(trx, {
    store,
    template: RECEIVED,
    subjectId: orderId,
    recipient: owner.email,
    content: ({ unsubscribe }) =>
      mails.offerReceived({
        offer: mailedOffer(store, event),
        endsAt,
        studioUrl: store.publicUrl + pages.studio.path,
        unsubscribeUrl: unsubscribeUrl(store.publicUrl, unsubscribe),
      }),
    unsubscribe: { list: 'message', id: ownerId },
    expiresAt: new Date(endsAt),
  })
}

/**
 * A notice for the buyer, unless they withdrew the offer, and a mail that nothing was charged; that of an accepted one
 * is the confirmation of its order (sales/). Nothing about an offer whose card was never held.
 */
export async function queueOfferEnded(trx: Trx, event: Ended, store: Store) {
  const { buyerId, outcome, why = '', wasHeld } = event
  if (!wasHeld) return
  if (outcome === 'lost') return queueLost(trx, { ...event, why }, store)
  await dropMailsOfOffer(trx, event)
  await saveOwnNotice(trx, buyerId, { ...event, what: 'offer_accepted' })
}

/**
 * The same for an offer whose hold payments gave back or lost: catalog may have no offer, or may not have read of the
 * hold.
 */
export async function queueOfferReleased(trx: Trx, event: Static<typeof bidReleased.data>, store: Store) {
  if (!event.held) return
  const [contract, identifier] = event.held.token.split('/') as [string, string]
  await queueLost(trx, { ...event, ...event.held, contract, identifier }, store)
}

type Lost = Pick<Ended, 'orderId' | 'itemId' | 'contract' | 'identifier' | 'name' | 'priceCents' | 'buyerId' | 'at'> & {
  image?: string
  why: string
}

/**
 * At most one mail for each order. Nothing to a buyer whose account is deleted, and nothing about an order that is
 * confirmed: it may be charged, whatever a restored catalog publishes about its offer.
 */
async function queueLost(trx: Trx, lost: Lost, store: Store) {
  const { orderId, buyerId, why } = lost
  await dropMailsOfOffer(trx, lost)
  if (await isOver(trx, orderId)) return
  if (why !== 'withdrawn') await saveOwnNotice(trx, buyerId, { ...lost, what: noticeKindOf(why) })
  const buyer = await findRecipient(trx, buyerId)
  if (!buyer || buyer.deletedAt !== null) return
  await queueMail(trx, {
    store,
    template: ENDED,
    subjectId: orderId,
    recipient: buyer.email,
    content: mails.offerEnded({
      offer: mailedOffer(store, lost),
      why,
      orderNumber: orderNumber(orderId),
      exploreUrl: store.publicUrl + pages.explore.path,
      contactUrl: store.publicUrl + contactAboutOrder(orderId),
    }),
  })
}

/** Whether an offer has the mail of its end, or the confirmation of its order. */
const isOver = (trx: Trx, orderId: string): Promise<boolean> =>
  isMailStored(trx, { templates: [ENDED, ORDER_PLACED], subjectId: orderId })

/** What is not sent any more about an offer that is over. */
async function dropMailsOfOffer(trx: Trx, { orderId }: Pick<Ended, 'orderId'>) {
  for (const template of [RECEIVED, HELD]) await dropWaitingMailsOf(trx, { template, subjectPrefix: orderId })
}

function noticeKindOf(why: string): NoticeKind {
  if (why === 'declined') return 'offer_declined'
  return why === 'expired' ? 'offer_expired' : 'offer_ended'
}
