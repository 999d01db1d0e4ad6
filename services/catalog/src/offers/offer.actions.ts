import { bidEnded } from '@nifty/events/catalog'
import { publishEvent } from '@nifty/service-kit/messaging/outbox'
import type { Transaction } from 'kysely'
import type { Database, Item, Offer } from '../db.ts'
import { endLivingOffers, findOffer, saveOffer } from './offer.store.ts'
import { type DELIVERED, type SellingEnd, wasHeld } from './offer.ts'

type Outcome = { outcome: 'won' } | { outcome: 'lost'; why: string }

/** What both events about an offer have of it and its work. */
export function publishedOffer(item: Item, { orderId, priceCents, buyerId, ownerId }: Offer) {
  const { id: itemId, contract, identifier, name, image } = item
  return { orderId, itemId, contract, identifier, name, image, priceCents, buyerId, ownerId }
}

/** Publishes that an offer was accepted, or has ended. Once per outcome. */
export async function publishOutcome(
  trx: Transaction<Database>,
  item: Item,
  offer: Offer,
  end: Outcome & { at: Date },
) {
  const { at, ...outcome } = end
  await publishEvent(trx, bidEnded, {
    ...publishedOffer(item, offer),
    kind: 'offer',
    ...outcome,
    wasHeld: outcome.outcome === 'won' || wasHeld(offer, outcome.why),
    at: at.toISOString(),
  })
}

/** Ends one offer: also an accepted one that payments released before it had read of that. Needs the item's lock. */
export async function endOffer(
  trx: Transaction<Database>,
  item: Item,
  offer: Offer,
  { why, at }: { why: string; at: Date },
): Promise<Offer> {
  const ended = { ...offer, state: 'ended', why } as const
  await saveOffer(trx, ended)
  await publishOutcome(trx, item, offer, { outcome: 'lost', why, at })
  return ended
}

/** Ends the offers for the item, also of one buyer, but the accepted one, whose sale goes on. Needs the item's lock. */
export async function endOffers(
  trx: Transaction<Database>,
  item: Item,
  { why, at, buyerId }: { why: SellingEnd; at: Date; buyerId?: string },
) {
  for (const offer of await endLivingOffers(trx, { itemId: item.id, buyerId, why }))
    await publishOutcome(trx, item, offer, { outcome: 'lost', why, at })
}

/**
 * The sale of an accepted offer is over: the work has arrived, or it failed, which payments has published as the
 * release of its line. Returns false for any other order. Needs the item's lock.
 */
export async function closeAcceptedOffer(
  trx: Transaction<Database>,
  orderId: string,
  why: typeof DELIVERED | 'failed',
): Promise<boolean> {
  const offer = await findOffer(trx, orderId)
  if (offer?.state !== 'accepted') return false
  await saveOffer(trx, { ...offer, state: 'ended', why })
  return true
}
