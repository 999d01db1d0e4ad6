import { contactAboutOrder } from '@nifty/api/contact-about'
import type { NoticeKind } from '@nifty/api/notification/notices'
import { orderNumber } from '@nifty/api/order-number'
import { pages } from '@nifty/api/pages'
import type { bidEnded, offerReceived } from '@nifty/events/catalog'
import type { Transaction } from 'kysely'
import type { Static } from 'typebox'
import type { Database } from '../db.ts'
import type { Store } from '../mails/email-layout.ts'
import { queueMail } from '../mails/mail.actions.ts'
import { dropWaitingMailsOf, isMailStored } from '../mails/mail.store.ts'
import { mailedWork } from '../mails/mailed-work.ts'
import { saveNotices } from '../notices/notice.store.ts'
import { findRecipient } from '../recipients/recipient.store.ts'
import { unsubscribeUrl } from '../unsubscribe/unsubscribe-token.ts'
import * as mails from './offer.templates.ts'

type Trx = Transaction<Database>
type Ended = Static<typeof bidEnded.data>
type Received = Static<typeof offerReceived.data>

const RECEIVED = 'offer-received'
const ENDED = 'offer-ended'
const ACCEPTED = 'order-placed'

const mailedOffer = (store: Store, { contract, identifier, name, image, priceCents }: Ended | Received) => ({
  work: mailedWork(store, { name, token: `${contract}/${identifier}`, image }),
  priceCents,
})

/**
 * A notice for the owner, and a mail unless the flag `message` is off; it is not sent any more once the offer is over.
 * Nothing when the event arrives after that of the offer's end.
 */
export async function queueOfferReceived(trx: Trx, event: Received, store: Store) {
  const { orderId, ownerId, endsAt } = event
  for (const template of [ENDED, ACCEPTED]) if (await isMailStored(trx, { template, subjectId: orderId })) return
  await saveNotice(trx, ownerId, { what: 'offer_received', offer: event })
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
 * is the confirmation of its order (sales/). Nothing about an offer whose card was never held, nor to a buyer whose
 * account is deleted. An order that is confirmed may be charged, whatever a restored catalog publishes about its offer.
 */
export async function queueOfferEnded(trx: Trx, event: Ended, store: Store) {
  const { orderId, buyerId, outcome, why = '', wasHeld } = event
  if (!wasHeld) return
  await dropWaitingMailsOf(trx, { template: RECEIVED, subjectPrefix: orderId })
  if (outcome === 'lost' && (await isMailStored(trx, { template: ACCEPTED, subjectId: orderId }))) return
  const what = noticeKindOf(event)
  if (what) await saveNotice(trx, buyerId, { what, offer: event })
  if (outcome === 'won') return
  const buyer = await findRecipient(trx, buyerId)
  if (!buyer || buyer.deletedAt !== null) return
  await queueMail(trx, {
    store,
    template: ENDED,
    subjectId: orderId,
    recipient: buyer.email,
    content: mails.offerEnded({
      offer: mailedOffer(store, event),
      why,
      orderNumber: orderNumber(orderId),
      exploreUrl: store.publicUrl + pages.explore.path,
      contactUrl: store.publicUrl + contactAboutOrder(orderId),
    }),
  })
}

function noticeKindOf({ outcome, why }: Ended): NoticeKind | null {
  if (outcome === 'won') return 'offer_accepted'
  if (why === 'withdrawn') return null
  if (why === 'declined') return 'offer_declined'
  return why === 'expired' ? 'offer_expired' : 'offer_ended'
}

async function saveNotice(trx: Trx, userId: string, { what, offer }: { what: NoticeKind; offer: Ended | Received }) {
  const { itemId, contract, identifier, name, priceCents, at } = offer
  await saveNotices(trx, [userId], {
    what,
    itemId,
    contract,
    identifier,
    name,
    artist: null,
    artistId: null,
    priceCents,
    at,
  })
}
