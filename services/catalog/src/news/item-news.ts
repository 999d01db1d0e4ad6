import type { Item } from '../db.ts'
import type { ItemNews } from './item-news.store.ts'

type NewsItem = Pick<Item, 'hiddenAt' | 'forSale' | 'priceCents' | 'reservedOrder'>

/**
 * Whether what happened to an item still holds when it is published. A reserved item is neither cheaper nor available:
 * it is sold, or is news again once it is free.
 */
export function isStillTrue({ what, formerCents }: Pick<ItemNews, 'what' | 'formerCents'>, item: NewsItem): boolean {
  const { hiddenAt, forSale, priceCents, reservedOrder } = item
  if (hiddenAt !== null) return false
  if (what === 'sold') return true
  if (!forSale || priceCents === null) return false
  if (what === 'listed') return true
  return reservedOrder === null && (formerCents === null || priceCents < formerCents)
}
