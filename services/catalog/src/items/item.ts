import { toCents } from '@nifty/api/shapes'
import { forbidden, invalid } from '@nifty/service-kit/errors'
import type { Item } from '../db.ts'

export const notYourItem = () => forbidden('not_the_owner', 'Forbidden')

/** What the seller asks for: cents, from the euros of the page. Everything else that the page sends is ignored. */
export function readOffer(body: Record<string, unknown>, path: { contract: string; identifier: string }): number {
  const priceCents = toCents(body.price)
  if (priceCents === null)
    throw invalid('invalid_price', 'Price must be between 0.50 and 999999.99 with at most 2 decimals')
  if (body.forSale !== true) throw invalid('invalid_for_sale', 'forSale must be true')
  const says = (value: unknown, expected: string) => value === undefined || String(value).toLowerCase() === expected
  if (!says(body.contract, path.contract.toLowerCase()) || !says(body.identifier, path.identifier))
    throw invalid('other_item', 'The item in the body is not the item of the address')
  return priceCents
}

/**
 * Lists an item, or gives it a new price. The order of a buyer who is paying keeps its own price: the new one counts
 * for the next listing. Whoever sets a price does not want the item back any more.
 */
export function list(item: Item, { priceCents, now }: { priceCents: number; now: Date }): Item {
  const listed = { ...item, priceCents, forSale: true, listWhenOwned: false, delistRequested: false }
  return { ...listed, listedAt: now, shownAt: now, listingVersion: item.listingVersion + 1 }
}

/** Takes an item off the market; while somebody is paying this is a wish, and payments decides. */
export function delist(item: Item): Item {
  if (item.reservedOrder !== null && item.forSale) return { ...item, listWhenOwned: false, delistRequested: true }
  return { ...item, listWhenOwned: false, forSale: false }
}

/** The listing is over, whoever is paying. */
export const endListing = (item: Item): Item => ({ ...item, forSale: false, listWhenOwned: false })
