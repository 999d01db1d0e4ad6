import { checkDeliverable } from '@nifty/api/minting/internal'
import { conflict, ExpectedError, unavailable } from '@nifty/service-kit/base/errors'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import type { ServiceClient } from '@nifty/service-kit/http/client'
import type { Kysely, Transaction } from 'kysely'
import type { Database, Item } from '../db.ts'
import { lockItem } from './item.store.ts'
import { notForSale } from './item.ts'
import { endSelling } from './listing.actions.ts'

/** `to`: lower case, null: into custody; absent: to any recipient. A permit has to be valid until `until`. */
type Recipient = { to?: string | null; until?: Date }

/**
 * Checks with minting, before any lock, that the token could be delivered after a sale. Throws 409 if not, 503
 * `deliverability_unknown` if that is not known.
 */
export async function requireDeliverable(
  minting: ServiceClient,
  { token, ownerId, forSale, delistedAt }: Item,
  { to, until }: Recipient = {},
) {
  // minting consumes the delisting a moment later, and has the former permit until then.
  const since = !forSale && delistedAt ? { permittedSince: delistedAt.toISOString() } : {}
  const wanted = { token, ownerId: ownerId!, ...since, ...(until && { until: until.toISOString() }) }
  const { tokens } = await minting(checkDeliverable, { body: { tokens: [wanted], ...(to !== undefined && { to }) } })
  const result = tokens.find((entry) => entry.token === token)
  if (result?.deliverable) return
  if (result?.code === 'permit_required')
    throw conflict('permit_required', 'Please sign a permit, so that the store may deliver this item once it is sold', {
      details: result.permit === undefined ? {} : { typedData: result.permit },
    })
  if (result?.code && unknownCodes.has(result.code)) throw deliverabilityUnknown()
  if (result?.code === 'recipient_refuses')
    throw conflict('recipient_refuses', "The buyer's wallet cannot receive this item")
  throw conflict(result?.code ?? 'undeliverable', 'This item cannot be delivered at the moment')
}

/**
 * The same where the owner can still sign a permit, because the sale is not decided yet. Throws 409 for any other
 * refusal.
 */
export async function requireDeliverableOncePermitted(...args: Parameters<typeof requireDeliverable>): Promise<void> {
  await requireDeliverable(...args).catch((error) => {
    if (!(error instanceof ExpectedError) || error.code !== 'permit_required') throw error
  })
}

const deliverabilityUnknown = () =>
  unavailable('deliverability_unknown', 'This item cannot be delivered at the moment, please try again later')

const permitTooShort = () => conflict('permit_too_short', 'This work takes no bids until its permit is renewed')

/** Codes that concern the item and not the buyer: it cannot be sold to anyone, so its listing ends. */
const itemCodes = new Set(['not_owner', 'permit_required', 'work_contested', 'gift_waits'])
/** The chain or its index lacks what catalog has, as after a restore: one look ends no listing. */
const unknownCodes = new Set(['unknown_token', 'not_final'])

/**
 * Checks with minting, before any lock, that all items can be delivered to this wallet, or into custody, for a bid with
 * a permit until then. Throws 409 if not, 503 if unknown. Ends the selling of what cannot be sold to anyone; a permit
 * that is too short for a bid is none of that: one that began earlier needs less.
 */
export async function requireDeliverableTo(
  { db, minting }: { db: Kysely<Database>; minting: ServiceClient },
  items: Item[],
  { to: buyerWallet, until }: { to: string | null; until?: Date },
) {
  const lasting = until && { until: until.toISOString() }
  const tokens = items.map(({ token, ownerId }) => ({ token, ownerId: ownerId!, ...lasting }))
  const result = await minting(checkDeliverable, { body: { to: buyerWallet, tokens } })
  const refused = new Map(result.tokens.filter((token) => !token.deliverable).map(({ token, code }) => [token, code]))
  if (refused.size === 0 && result.tokens.length >= items.length) return
  let refusal: ExpectedError = notForSale()
  for (const item of items) {
    const code = refused.get(item.token)
    if (code === 'permit_required' && until) refusal = permitTooShort()
    else if (code && itemCodes.has(code)) await inTransaction(db, (trx) => delistUndeliverable(trx, item))
    else if (code && unknownCodes.has(code)) refusal = deliverabilityUnknown()
    else if (code === 'recipient_refuses' && buyerWallet !== null)
      refusal = conflict('recipient_refuses', 'Your wallet cannot receive this item')
  }
  throw refusal
}

/** Skips an item that was listed again, moved or reserved since the check. */
async function delistUndeliverable(trx: Transaction<Database>, { id, listingVersion, wallet }: Item) {
  const item = await lockItem(trx, id)
  if (!item || item.listingVersion !== listingVersion || item.wallet !== wallet || item.reservedOrder !== null) return
  await endSelling(trx, item, 'undeliverable')
}
