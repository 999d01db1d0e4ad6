import { bidEnded, offerReceived } from '@nifty/events/catalog'
import { publishEvent } from '@nifty/service-kit/messaging/outbox'
import type { Transaction } from 'kysely'
import { type Outcome, publishedWork } from '../auctions/auction.events.ts'
import type { Database, Item, Offer } from '../db.ts'
import { wasHeld } from './offer.ts'

/** What both events about an offer have of it and its work. */
const publishedOffer = (item: Item, { orderId, priceCents, buyerId, ownerId }: Offer) => ({
  orderId,
  ...publishedWork(item),
  priceCents,
  buyerId,
  ownerId,
})

/** Publishes that the card of an offer is held, which its owner can accept until `endsAt`. */
export const publishOfferReceived = (
  trx: Transaction<Database>,
  item: Item,
  offer: Offer,
  { endsAt, at }: { endsAt: Date; at: Date },
) =>
  publishEvent(trx, offerReceived, {
    ...publishedOffer(item, offer),
    endsAt: endsAt.toISOString(),
    at: at.toISOString(),
  })

/** Publishes that an offer was accepted, or has ended. Once per outcome. */
export const publishOfferOutcome = (
  trx: Transaction<Database>,
  item: Item,
  offer: Offer,
  { at, ...outcome }: Outcome & { at: Date },
) =>
  publishEvent(trx, bidEnded, {
    ...publishedOffer(item, offer),
    kind: 'offer',
    ...outcome,
    wasHeld: outcome.outcome === 'won' || wasHeld(offer, outcome.why),
    at: at.toISOString(),
  })
