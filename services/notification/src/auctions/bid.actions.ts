import { contactAboutOrder } from '@nifty/api/contact-about'
import { orderNumber } from '@nifty/api/order-number'
import { pages } from '@nifty/api/pages'
import type { auctionNews, bidEnded } from '@nifty/events/catalog'
import type { bidHeld, bidReleased } from '@nifty/events/payments'
import type { Transaction } from 'kysely'
import type { Static } from 'typebox'
import type { Database } from '../db.ts'
import type { Store } from '../mails/email-layout.ts'
import { queueMail } from '../mails/mail.actions.ts'
import { dropWaitingMailsOf, isMailStored, saveUnusedKey } from '../mails/mail.store.ts'
import { mailedWork } from '../mails/mailed-work.ts'
import { saveOwnNotice } from '../notices/notice.actions.ts'
import { saveNotices } from '../notices/notice.store.ts'
import { findRecipient } from '../recipients/recipient.store.ts'
import { ORDER_PLACED, orderUrl } from '../sales/sale.actions.ts'
import * as mails from './bid.templates.ts'

type Trx = Transaction<Database>

const HELD = 'bid-held'
const OUTBID = 'outbid'
const ENDED = 'bid-ended'
const LAST_HOUR = 'bid-last-hour'

/**
 * A mail to the bidder that the card is held, which is not sent any more once the bid is over; also of one that raises
 * another, which has a hold of its own. Nothing when the event arrives after that of the bid's end.
 */
export async function queueBidHeld(trx: Trx, event: Static<typeof bidHeld.data>, store: Store) {
  const { orderId, buyerId, priceCents: limitCents, endsAt } = event
  if (await isOver(trx, orderId)) return
  const bidder = await findRecipient(trx, buyerId)
  if (!bidder || bidder.deletedAt !== null) return
  await queueMail(trx, {
    store,
    template: HELD,
    subjectId: orderId,
    recipient: bidder.email,
    content: mails.bidHeld({
      work: mailedWork(store, event),
      limitCents,
      endsAt,
      orderNumber: orderNumber(orderId),
      orderUrl: orderUrl(store, orderId),
      contactUrl: store.publicUrl + contactAboutOrder(orderId),
    }),
  })
}

/** Whether a bid has the mail of its end, or the confirmation of its order. */
const isOver = (trx: Trx, orderId: string): Promise<boolean> =>
  isMailStored(trx, { templates: [OUTBID, ENDED, ORDER_PLACED], subjectId: orderId })

const dropHeldMail = (trx: Trx, orderId: string) => dropWaitingMailsOf(trx, { template: HELD, subjectPrefix: orderId })

/** Of the last hour of an auction, to one of its bidders or to all: what it contains is not true any more. */
export const dropLastHourMails = (trx: Trx, { auctionId, bidderId = '' }: { auctionId: string; bidderId?: string }) =>
  dropWaitingMailsOf(trx, { template: LAST_HOUR, subjectPrefix: `${auctionId}.${bidderId}` })

/**
 * A notice for the bidder, and a mail that nothing was charged; that of a bid that has won is the confirmation of its
 * order (sales/). Nothing about a bid whose card was never held, and nothing about one that its bidder raised: the
 * higher one stands.
 */
export async function queueBidEnded(trx: Trx, event: Static<typeof bidEnded.data>, store: Store) {
  const {
    orderId,
    buyerId,
    contract,
    identifier,
    priceCents: limitCents,
    auction,
    outcome,
    why = '',
    wasHeld,
    at,
  } = event
  if (!wasHeld) return
  await dropHeldMail(trx, orderId)
  if (auction && why !== 'raised') await dropLastHourMails(trx, { auctionId: auction.auctionId, bidderId: buyerId })
  const priceCents = auction?.priceCents ?? null
  if (outcome === 'won') await saveOwnNotice(trx, buyerId, { ...event, what: 'bid_won', priceCents })
  else
    await queueLost(
      trx,
      {
        ...event,
        token: `${contract}/${identifier}`,
        limitCents,
        priceCents,
        why,
        auctionWhy: auction?.why,
        endsAt: auction?.endsAt ?? null,
        at,
      },
      store,
    )
}

/**
 * The same for a bid whose hold payments gave back or lost, where catalog has no bid, or had not read of the hold. One
 * that was outbid or raised stood: catalog has published that, with the price.
 */
export async function queueBidReleased(trx: Trx, event: Static<typeof bidReleased.data>, store: Store) {
  const { orderId, held, why } = event
  if (!held) return
  await dropHeldMail(trx, orderId)
  if (why === 'outbid') return
  const lost = { ...event, ...held, limitCents: held.priceCents, priceCents: null, endsAt: null }
  await queueLost(trx, lost, store)
}

type Lost = {
  orderId: string
  itemId: string
  token: string
  name: string
  image?: string
  buyerId: string
  limitCents: number
  priceCents: number | null
  endsAt: string | null
  why: string
  auctionWhy?: string
  at: string
}

/**
 * At most one mail for each order. Nothing to a bidder whose account is deleted, and nothing about an order that is
 * confirmed: it may be charged, and a release of its line has another mail.
 */
async function queueLost(trx: Trx, lost: Lost, store: Store) {
  const { orderId, buyerId, token, limitCents, priceCents, endsAt, why, auctionWhy } = lost
  // Not a mail of its own: that of the hold is not queued by an event that arrives later.
  if (why === 'raised') return saveUnusedKey(trx, { template: HELD, subjectId: orderId })
  if (await isOver(trx, orderId)) return
  const [contract, identifier] = token.split('/') as [string, string]
  if (why !== 'withdrawn')
    await saveOwnNotice(trx, buyerId, {
      ...lost,
      what: why === 'outbid' ? 'bid_outbid' : 'bid_ended',
      contract,
      identifier,
    })
  const bidder = await findRecipient(trx, buyerId)
  if (!bidder || bidder.deletedAt !== null) return
  const bid = {
    work: mailedWork(store, lost),
    limitCents,
    priceCents,
    orderNumber: orderNumber(orderId),
    contactUrl: store.publicUrl + contactAboutOrder(orderId),
  }
  await queueMail(trx, {
    store,
    subjectId: orderId,
    recipient: bidder.email,
    ...(why === 'outbid'
      ? { template: OUTBID, content: mails.outbid({ ...bid, endsAt }) }
      : {
          template: ENDED,
          content: mails.bidEnded({ ...bid, why, auctionWhy, exploreUrl: store.publicUrl + pages.explore.path }),
        }),
  })
}

/**
 * A notice and a mail for each account that bid in an auction which ends within an hour. The mail is not sent after the
 * end.
 */
export async function queueLastHour(
  trx: Trx,
  { userIds, bidders, ...news }: Static<typeof auctionNews.data>,
  store: Store,
) {
  const { auctionId, contract, identifier, priceCents, endsAt } = news
  await saveNotices(trx, userIds, { ...news, what: 'auction_ends', artistId: null }, { hasOwnMail: true })
  if (endsAt === null || Date.parse(endsAt) <= Date.now()) return
  const work = mailedWork(store, { ...news, token: `${contract}/${identifier}` })
  for (const userId of userIds) {
    const bidder = await findRecipient(trx, userId)
    if (!bidder || bidder.deletedAt !== null) continue
    await queueMail(trx, {
      store,
      template: LAST_HOUR,
      subjectId: `${auctionId}.${userId}`,
      recipient: bidder.email,
      expiresAt: new Date(endsAt),
      content: mails.lastHour({ work, priceCents, endsAt, leads: bidders?.leaderId === userId }),
    })
  }
}
