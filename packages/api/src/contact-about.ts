import { orderNumber, parseOrderNumber } from './order-number.ts'
import { pages } from './pages.ts'

/** The contact page with a subject about an order. The address has the order's number only. */
export const contactAboutOrder = (orderId: string) => `${pages.contact.path}?about=order:${orderNumber(orderId)}`

/**
 * The subject that an `about` parameter stands for; empty for any other text. Nothing is looked up: whether an order
 * exists, and whose it is, does not show.
 */
export function contactSubject(about: string | null): string {
  const number = about?.startsWith('order:') ? parseOrderNumber(about.slice('order:'.length)) : null
  return number === null ? '' : `Order ${number}`
}
