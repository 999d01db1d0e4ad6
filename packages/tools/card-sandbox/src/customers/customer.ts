import type Stripe from 'stripe'
import { newId } from '../store/id.ts'

export type CustomerFields = {
  /** Null removes it. */
  email?: string | null
  name?: string | null
  description?: string | null
  metadata?: Record<string, string>
}

export function newCustomer({ email, name, description, metadata }: CustomerFields, now: number) {
  const id = newId('cus', 14)
  return {
    id,
    object: 'customer',
    address: null,
    balance: 0,
    created: now,
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: description ?? null,
    email: email ?? null,
    invoice_prefix: id.slice(-8).toUpperCase(),
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: false,
    metadata: metadata ?? {},
    name: name ?? null,
    next_invoice_sequence: 1,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  } satisfies Stripe.Customer
}

/** What stays of a deleted customer. */
export const deletedCustomer = (id: string): Stripe.DeletedCustomer => ({ id, object: 'customer', deleted: true })

export const isDeleted = (customer: Stripe.Customer | Stripe.DeletedCustomer): customer is Stripe.DeletedCustomer =>
  customer.deleted === true
