import { toCents } from '@nifty/api/shapes'
import { conflict, invalid } from '@nifty/service-kit/base/errors'
import { isUuid } from '@nifty/service-kit/base/uuid'

export const MAX_ITEMS = 10
/** The largest payment in euros that the processor takes: eight digits of cents. */
const MAX_CENTS = 99_999_999

/** An item and the price that the buyer's page showed. The price is only compared, never charged. */
export type CartItem = { itemId: string; priceCents: number }

export const priceChanged = () => conflict('price_changed', 'The price has changed, please reload')
const wrongItems = (message: string) => invalid('invalid_items', message)

/**
 * Parses `items` and `amount` of a request. Throws 400 for malformed items, and for more than one payment can be; 409
 * `price_changed` for any wrong amount.
 */
export function parseCart({ items, amount }: { items?: unknown; amount?: unknown }): CartItem[] {
  if (!Array.isArray(items) || items.length === 0) throw wrongItems('items must be a list of at least one item')
  if (items.length > MAX_ITEMS) throw wrongItems(`At most ${MAX_ITEMS} items can be bought at once`)

  const parsed = items.map((item: unknown) => {
    const { _id: id, price } = (item ?? {}) as Record<string, unknown>
    if (typeof id !== 'string' || !isUuid(id)) throw wrongItems('Each item needs its _id')
    return { itemId: id.toLowerCase(), priceCents: toCents(price) }
  })
  if (new Set(parsed.map(({ itemId }) => itemId)).size < parsed.length) throw wrongItems('Each item may be given once')

  const cart = parsed.map(({ itemId, priceCents }) => {
    if (priceCents === null) throw priceChanged()
    return { itemId, priceCents }
  })
  if (typeof amount !== 'number' || !isSum(amount, cart)) throw priceChanged()
  if (sumOf(cart) > MAX_CENTS)
    throw invalid('cart_too_expensive', 'One payment can be at most 999,999.99 €. Please buy the works one by one.')
  return cart
}

/** Tolerates a hundredth of a cent: the page adds floating point euros. */
const isSum = (euros: number, cart: CartItem[]) => Math.abs(euros * 100 - sumOf(cart)) < 0.01

const sumOf = (cart: CartItem[]) => cart.reduce((sum, { priceCents }) => sum + priceCents, 0)
