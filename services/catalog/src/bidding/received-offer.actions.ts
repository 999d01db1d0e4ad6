import type { ReceivedOffer } from '@nifty/api/catalog/offers'
import { conflict, notFound } from '@nifty/service-kit/base/errors'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import type { ServiceClient } from '@nifty/service-kit/http/client'
import type { Kysely, Transaction } from 'kysely'
import { lockAccountShared } from '../accounts/account.store.ts'
import { isBlocked, requireSeller } from '../accounts/account.ts'
import type { Database, Offer } from '../db.ts'
import { requireUncontested } from '../items/contested-line.store.ts'
import { requireDeliverable } from '../items/deliverability.actions.ts'
import { findItem, saveItem } from '../items/item.store.ts'
import { requireForeign, requireOwner, requireUnreserved, reserved } from '../items/item.ts'
import { requireUsualPrice } from '../items/listing.actions.ts'
import { endOffer } from '../offers/offer.actions.ts'
import { publishOfferOutcome } from '../offers/offer.events.ts'
import { findOffer, saveOffer } from '../offers/offer.store.ts'
import { DELIVERED, deliverableUntil, isAcceptable } from '../offers/offer.ts'
import { lockOffer } from './bid.actions.ts'
import { receivedOffer } from './received-offer.store.ts'

const offerNotFound = () => notFound('offer_not_found', 'There is no such offer')
const offerAccepted = () => conflict('offer_accepted', 'You have accepted this offer')
const offerOver = (why: string) => conflict('offer_over', 'This offer is over', { details: { why } })

/** An offer that its owner has seen: one whose card was held. Throws 404 for any other. */
function requireReceived<Found extends Pick<Offer, 'ownerId' | 'endsAt'>>(
  offer: Found | undefined,
  userId: string,
): Found {
  if (!offer || offer.ownerId !== userId || offer.endsAt === null) throw offerNotFound()
  return offer
}

type Decision = { orderId: string; userId: string }

/**
 * Reserves the item for the order of an offer, at its price, whether or not it is listed. Idempotent until it is
 * delivered. Other open offers stay until the sale is final: a delivery that fails leaves them usable. Deliverability
 * is checked before any lock. Throws 409 `offer_over`, `item_reserved`, and what listing the item would be refused for;
 * 403 `step_up_required` for an unusual price.
 */
export async function acceptOffer(
  { db, minting }: { db: Kysely<Database>; minting: ServiceClient },
  decision: Decision & { steppedUp: boolean },
): Promise<ReceivedOffer> {
  const { orderId, userId } = decision
  const offer = requireReceived(await findOffer(db, orderId), userId)
  if (offer.state === 'ended') throw offerOver(offer.why!)
  const item = requireOwner(await findItem(db, offer.itemId), userId)
  if (offer.state === 'open') {
    requireUnreserved(item)
    await requireUncontested(db, item)
    await requireDeliverable(minting, item, { to: offer.wallet, until: deliverableUntil(offer.endsAt!) })
  }
  return inTransaction(db, async (trx) => {
    await acceptLocked(trx, decision)
    return (await receivedOffer(trx, orderId))!
  })
}

/**
 * The part under the locks of the seller's account and of the item. Throws 403 `not_a_seller`, `own_item` and
 * `step_up_required`, 404 `offer_not_found`, 409 `offer_over`, `work_contested` and `item_reserved`.
 */
async function acceptLocked(
  trx: Transaction<Database>,
  { orderId, userId, steppedUp }: Decision & { steppedUp: boolean },
) {
  const found = await findOffer(trx, orderId)
  const seller = await lockAccountShared(trx, userId)
  requireSeller(seller)
  const buyer = found && (await lockAccountShared(trx, found.buyerId))
  const locked = await lockOffer(trx, orderId)
  if (!locked) throw offerNotFound()
  const { item, offer, now } = locked
  if (offer.state === 'accepted') return
  if (!isAcceptable(offer, now)) throw offerOver(offer.why ?? 'expired')
  // A former release lets offers stand that are held after the event about their buyer.
  if (buyer && isBlocked(buyer)) throw offerOver('account')
  await requireUncontested(trx, item)
  requireUnreserved(item)
  const { buyerId, wallet: buyerWallet, priceCents } = offer
  requireForeign(item, seller, { buyerId, buyerWallet })
  const { confirm } = await requireUsualPrice(trx, item, { userId, priceCents, steppedUp, now })
  // Payments asks about a reservation past its time, as after the end of a payment page.
  await saveItem(trx, reserved(item, { orderId, buyerId, priceCents, until: now }))
  await saveOffer(trx, { ...offer, state: 'accepted' })
  await confirm()
  await publishOfferOutcome(trx, item, offer, { outcome: 'won', at: now })
}

/** Ends an offer as the item's owner requests. Idempotent. Throws 409 `offer_accepted`. */
export async function declineOffer(trx: Transaction<Database>, { orderId, userId }: Decision) {
  const locked = await lockOffer(trx, orderId)
  if (!locked) throw offerNotFound()
  const { item, offer, now } = locked
  requireReceived(offer, userId)
  if (offer.state === 'accepted' || offer.why === DELIVERED) throw offerAccepted()
  if (offer.state === 'open') await endOffer(trx, item, offer, { why: 'declined', at: now })
}
