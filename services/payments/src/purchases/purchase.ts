import { toCents } from '@nifty/api/shapes'
import { conflict, invalid } from '@nifty/service-kit/errors'

export const MAX_ITEMS = 10

/** What a buyer asks for. Cents are what the page showed: they are compared, never used. */
export type Wanted = { itemId: string; priceCents: number }

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const priceChanged = () => conflict('price_changed', 'The price has changed, please reload')
const wrongItems = (message: string) => invalid('invalid_items', message)

/** Reads `items` and `amount` of a request. Shapes are refused with 400; whatever the price is not, with 409. */
export function readPurchase({ items, amount }: { items?: unknown; amount?: unknown }): Wanted[] {
  if (!Array.isArray(items) || items.length === 0) throw wrongItems('items must be a list of at least one item')
  if (items.length > MAX_ITEMS) throw wrongItems(`At most ${MAX_ITEMS} items can be bought at once`)

  const asked = items.map((item: unknown) => {
    const { _id: id, price } = (item ?? {}) as Record<string, unknown>
    if (typeof id !== 'string' || !uuid.test(id)) throw wrongItems('Each item needs its _id')
    return { itemId: id.toLowerCase(), priceCents: toCents(price) }
  })
  if (new Set(asked.map(({ itemId }) => itemId)).size < asked.length) throw wrongItems('Each item may be given once')

  const wanted = asked.map(({ itemId, priceCents }) => {
    if (priceCents === null) throw priceChanged()
    return { itemId, priceCents }
  })
  if (typeof amount !== 'number' || !isSum(amount, wanted)) throw priceChanged()
  return wanted
}

/** A page adds euros as floating point numbers, so that less than a hundredth of a cent is no difference. */
const isSum = (euros: number, wanted: Wanted[]) =>
  Math.abs(euros * 100 - wanted.reduce((sum, { priceCents }) => sum + priceCents, 0)) < 0.01
