import { orderNumber, parseOrderNumber } from './order-number.ts'
import { pages } from './pages.ts'

/** The contact page with a subject about an order. The address has the order's number only. */
export const contactAboutOrder = (orderId: string) => `${pages.contact.path}?about=order:${orderNumber(orderId)}`

/** The contact page for people who would like to sell. */
export const contactAboutSelling = `${pages.contact.path}?about=selling`

/**
 * The subject that an `about` parameter stands for; empty for any other text. Nothing is looked up: whether an order
 * exists, and whose it is, does not show.
 */
export function contactSubject(about: string | null): string {
  if (about === 'selling') return 'I would like to sell my works'
  const number = about?.startsWith('order:') ? parseOrderNumber(about.slice('order:'.length)) : null
  return number === null ? '' : `Order ${number}`
}
