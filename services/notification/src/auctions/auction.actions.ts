import { pages } from '@nifty/api/pages'
import type { auctionBidReceived, auctionEnded } from '@nifty/events/catalog'
import type { Transaction } from 'kysely'
import type { Static } from 'typebox'
import type { Database } from '../db.ts'
import type { Store } from '../mails/email-layout.ts'
import { queueMail } from '../mails/mail.actions.ts'
import { mailedWork } from '../mails/mailed-work.ts'
import { saveOwnNotice } from '../notices/notice.actions.ts'
import { findRecipient } from '../recipients/recipient.store.ts'
import * as mails from './auction.templates.ts'
import { dropLastHourMails } from './bid.actions.ts'

type Trx = Transaction<Database>

/** The first bid on a work of the account stands: a notice. */
export const saveFirstBid = (trx: Trx, event: Static<typeof auctionBidReceived.data>) =>
  saveOwnNotice(trx, event.sellerId, { ...event, what: 'auction_bid' })

/**
 * A notice and a mail for the seller, once for each outcome; nothing about an auction that they cancelled. A mail of
 * its last hour that waits is not sent any more.
 */
export async function queueAuctionEnded(trx: Trx, event: Static<typeof auctionEnded.data>, store: Store) {
  const { auctionId, contract, identifier, name, image, sellerId, outcome, why = '', priceCents, bids } = event
  await dropLastHourMails(trx, { auctionId })
  if (outcome === 'cancelled') return
  // The event of a sale that failed has the price that was not paid.
  await saveOwnNotice(trx, sellerId, {
    ...event,
    what: 'auction_ended',
    priceCents: outcome === 'awarded' ? priceCents : null,
  })
  const seller = await findRecipient(trx, sellerId)
  if (!seller || seller.deletedAt !== null) return
  const auction = {
    work: mailedWork(store, { name, token: `${contract}/${identifier}`, image }),
    priceCents,
    bids,
    studioUrl: store.publicUrl + pages.studio.path,
  }
  const content = {
    awarded: () => mails.auctionAwarded(auction),
    unsold: () => mails.auctionUnsold(auction),
    failed: () => mails.auctionFailed(auction),
    void: () => mails.auctionVoid({ ...auction, why }),
  }[outcome]()
  await queueMail(trx, {
    store,
    template: `auction-${outcome}`,
    subjectId: auctionId,
    recipient: seller.email,
    content,
  })
}
