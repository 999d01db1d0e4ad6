import type { RememberedCards } from '@nifty/api/payments/cards'
import type { CardCustomer } from './card-customer.store.ts'

/** Undefined: no page was ever opened for the account. */
export function viewCustomer(customer: (CardCustomer & { isNeeded: boolean }) | undefined): RememberedCards {
  if (!customer?.customerId) return { state: 'none' }
  if (!customer.forgetRequestedAt) return { state: 'kept' }
  return { state: customer.isNeeded ? 'after_payment' : 'forgetting' }
}
