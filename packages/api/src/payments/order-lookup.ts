import type { Lookup } from '../lookup.ts'
import type { OrderSearch } from './order-search.ts'

/** The search of the orders that have what a text stands for; null for what no order has. */
export function orderSearchOf(lookup: Lookup): OrderSearch | null {
  switch (lookup.kind) {
    case 'id':
      return { order: lookup.id }
    case 'order_number':
      return { order: lookup.number }
    case 'payment':
      return { payment: lookup.id }
    case 'transaction':
      return { transaction: lookup.hash }
    case 'token':
      return { token: lookup.token }
    default:
      return null
  }
}
