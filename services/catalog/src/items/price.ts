import { toCents } from '@nifty/api/shapes'
import { invalid } from '@nifty/service-kit/base/errors'
import type { Item } from '../db.ts'

const MIN_CENTS = 50
const MAX_CENTS = 99_999_999

/** Whether an item may be listed at this price, in cents. */
export const isPrice = (cents: number | null) => cents !== null && cents >= MIN_CENTS && cents <= MAX_CENTS

/** A work costs less if no price of these days was as low: the EU's rule for price reductions (98/6/EC, article 6a). */
export const LOWEST_OF_DAYS = 30
/** How long a listed or paid price is a measure of the next one; the last one is for ever. */
export const USUAL_FOR_DAYS = 90

/** The price of the item's listing, or of the one that its mint requested; cents. Former ones: `price.store.ts`. */
export const listedPriceOf = ({ priceCents, forSale, listWhenOwned }: Item) =>
  forSale || listWhenOwned ? priceCents : null

/** Whether a price is below half of the usual one, both in cents: such a listing needs a step-up. */
export const isUnusual = (priceCents: number, usualCents: number) => 2 * priceCents < usualCents

/**
 * The price in cents, from the euros of a set-price request. A token named in the body must be the token of the path;
 * all other fields are ignored.
 */
export function readPrice(body: Record<string, unknown>, path: { contract: string; identifier: string }): number {
  const priceCents = toCents(body.price)
  if (priceCents === null)
    throw invalid('invalid_price', 'Price must be between 0.50 and 999999.99 with at most 2 decimals')
  if (body.forSale !== true) throw invalid('invalid_for_sale', 'forSale must be true')
  const matches = (value: unknown, expected: string) => value === undefined || String(value).toLowerCase() === expected
  if (!matches(body.contract, path.contract.toLowerCase()) || !matches(body.identifier, path.identifier))
    throw invalid('other_item', 'The item in the body is not the item of the address')
  return priceCents
}
