import { conflict, forbidden } from '@nifty/service-kit/errors'
import { maySell } from '../accounts/account.ts'
import type { Account, Item } from '../db.ts'

export const notForSale = () => conflict('not_for_sale', 'This item is not for sale')

export type Purchase = {
  orderId: string
  buyerId: string
  /** Lower case. */
  buyerWallet: string
  priceCents: number
  until: Date | null
}

type Seller = Pick<Account, 'wallet' | 'admin' | 'suspended' | 'deletedAt'> | undefined

/** Holds the item for one order, or says why not. */
export function reserve(item: Item, seller: Seller, purchase: Purchase): Item {
  const { orderId, buyerId, buyerWallet, priceCents, until } = purchase
  if (item.ownerId === buyerId || item.wallet === buyerWallet || seller?.wallet === buyerWallet)
    throw forbidden('own_item', 'You cannot buy your own item')
  if (!item.forSale || item.reservedOrder !== null || !maySell(seller as Account)) throw notForSale()
  if (item.priceCents !== priceCents) throw conflict('price_changed', 'The price has changed, please reload')
  return {
    ...{ ...item, reservedOrder: orderId, reservedBy: buyerId, reservedCents: priceCents, reservedUntil: until },
    ...{ reservedSeller: item.ownerId, delistRequested: false },
  }
}

/** The end of a reservation. A wish to delist that was made meanwhile comes true. */
export function release(item: Item): Item {
  const free = { reservedOrder: null, reservedBy: null, reservedCents: null, reservedSeller: null, reservedUntil: null }
  return { ...item, ...free, delistRequested: false, forSale: item.forSale && !item.delistRequested }
}
