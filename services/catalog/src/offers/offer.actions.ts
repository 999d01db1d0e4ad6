import type { Transaction } from 'kysely'
import type { Database, Item, Offer } from '../db.ts'
import { publishOfferOutcome } from './offer.events.ts'
import { endLivingOffers, findOffer, saveOffer } from './offer.store.ts'
import type { DELIVERED, SellingEnd } from './offer.ts'

/** Ends one offer: also an accepted one that payments released before it had read of that. Needs the item's lock. */
export async function endOffer(
  trx: Transaction<Database>,
  item: Item,
  offer: Offer,
  { why, at }: { why: string; at: Date },
): Promise<Offer> {
  const ended = { ...offer, state: 'ended', why, endedAt: at } as const
  await saveOffer(trx, ended)
  await publishOfferOutcome(trx, item, offer, { outcome: 'lost', why, at })
  return ended
}

/** Ends the offers for the item, also of one buyer, but the accepted one, whose sale goes on. Needs the item's lock. */
export async function endOffers(
  trx: Transaction<Database>,
  item: Item,
  { why, at, buyerId }: { why: SellingEnd | 'on_auction'; at: Date; buyerId?: string },
) {
  for (const offer of await endLivingOffers(trx, { itemId: item.id, buyerId, why, endedAt: at }))
    await publishOfferOutcome(trx, item, offer, { outcome: 'lost', why, at })
}

/**
 * The sale of an accepted offer is over: the work has arrived, or it failed, which payments has published as the
 * release of its line. Returns false for any other order. Needs the item's lock.
 */
export async function closeAcceptedOffer(
  trx: Transaction<Database>,
  orderId: string,
  { why, at }: { why: typeof DELIVERED | 'failed'; at: Date },
): Promise<boolean> {
  const offer = await findOffer(trx, orderId)
  if (offer?.state !== 'accepted') return false
  await saveOffer(trx, { ...offer, state: 'ended', why, endedAt: at })
  return true
}
