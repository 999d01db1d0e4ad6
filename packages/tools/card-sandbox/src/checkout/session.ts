import type Stripe from 'stripe'
import { invalid } from '../errors/api-error.ts'
import { newId } from '../store/id.ts'
import type { Basket, Item } from '../store/object.ts'
import type { SessionRequest } from './session.request.ts'

const minSeconds = 30 * 60
const maxSeconds = 24 * 60 * 60
const minCents = 50
/** Eight digits. */
const maxCents = 99_999_999

/** Validates `expires_at`: 30 minutes to 24 hours from now, default 24 hours. */
function expiryOf(requested: number | undefined, now: number): number {
  if (requested === undefined) return now + maxSeconds
  if (requested < now + minSeconds) {
    throw invalid('The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.', {
      param: 'expires_at',
    })
  }
  if (requested > now + maxSeconds) {
    throw invalid('The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.', {
      param: 'expires_at',
    })
  }
  return requested
}
const total = (items: Item[]) => items.reduce((sum, { unitAmount, quantity }) => sum + unitAmount * quantity, 0)

/** The common currency of all line items, in lower case. */
function currencyOf({ line_items, currency }: SessionRequest): string {
  const found = new Set(line_items.map(({ price_data }) => price_data.currency.toLowerCase()))
  if (currency) found.add(currency.toLowerCase())
  const [only, ...others] = found
  if (others.length > 0) throw invalid('All line items must have the same currency.', { param: 'line_items' })
  if (!/^[a-z]{3}$/.test(only!)) {
    throw invalid(`Invalid currency: ${only}`, { param: 'line_items[0][price_data][currency]' })
  }
  return only!
}

const itemOf = ({ price_data, quantity }: SessionRequest['line_items'][number]): Item => ({
  name: price_data.product_data.name,
  description: price_data.product_data.description,
  images: price_data.product_data.images ?? [],
  unitAmount: price_data.unit_amount,
  quantity,
})

/** Saved cards are those of a customer, whose address is the page's. */
function checkCustomer({ customer, customer_email, saved_payment_method_options: saved }: SessionRequest) {
  if (customer && customer_email) {
    throw invalid('You may only specify one of these parameters: customer, customer_email.', { param: 'customer' })
  }
  if (saved && !customer) {
    throw invalid('Saved payment methods need a customer.', { param: 'saved_payment_method_options' })
  }
}

/** Builds a new session from its request; throws on invalid parameters. */
export function buildSession(request: SessionRequest, { now, payUrl }: { now: number; payUrl: string }) {
  const items = request.line_items.map(itemOf)
  const amount = total(items)
  const currency = currencyOf(request)
  if (amount < minCents) {
    throw invalid(`The Checkout Session's total amount due must add up to at least 0.50 ${currency}`, {
      code: 'amount_too_small',
    })
  }
  if (amount > maxCents) {
    throw invalid(`The Checkout Session's total amount due must be no more than 999,999.99 ${currency}`, {
      code: 'amount_too_large',
    })
  }
  checkCustomer(request)
  const id = newId('cs_test', 58)
  const basket: Basket = {
    object: 'sandbox.basket',
    id,
    items,
    captureMethod: request.payment_intent_data?.capture_method ?? 'automatic_async',
    intentData: {
      description: request.payment_intent_data?.description,
      metadata: request.payment_intent_data?.metadata,
      receipt_email: request.payment_intent_data?.receipt_email,
      statement_descriptor_suffix: request.payment_intent_data?.statement_descriptor_suffix,
    },
  }
  const expiresAt = expiryOf(request.expires_at, now)
  return { basket, session: newSession(request, { id, amount, currency, now, expiresAt, url: `${payUrl}/${id}` }) }
}

type SessionTerms = { id: string; amount: number; currency: string; now: number; expiresAt: number; url: string }

function newSession(request: SessionRequest, { id, amount, currency, now, expiresAt, url }: SessionTerms) {
  return {
    id,
    object: 'checkout.session',
    adaptive_pricing: { enabled: false },
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: request.allowed_payment_method_types ?? null,
    amount_subtotal: amount,
    amount_total: amount,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: request.billing_address_collection ?? null,
    cancel_url: request.cancel_url ?? null,
    client_reference_id: request.client_reference_id ?? null,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: now,
    currency,
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: request.custom_text?.submit ?? null,
      terms_of_service_acceptance: null,
    },
    customer: request.customer ?? null,
    customer_account: null,
    customer_creation: request.customer ? null : 'if_required',
    customer_details: request.customer_email ? customerDetails({ email: request.customer_email, name: null }) : null,
    customer_email: request.customer_email ?? null,
    discounts: [],
    expires_at: expiresAt,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: request.locale ?? null,
    managed_payments: null,
    metadata: request.metadata ?? {},
    mode: 'payment',
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: 'if_required',
    payment_method_configuration_details: null,
    payment_method_options: {
      card: { request_three_d_secure: request.payment_method_options?.card?.request_three_d_secure ?? 'automatic' },
    },
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    permissions: null,
    phone_number_collection: { enabled: false },
    recovered_from: null,
    saved_payment_method_options: request.customer
      ? {
          allow_redisplay_filters: ['always'],
          payment_method_remove: request.saved_payment_method_options?.payment_method_remove ?? 'disabled',
          payment_method_save: request.saved_payment_method_options?.payment_method_save ?? 'disabled',
        }
      : null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: request.submit_type ?? null,
    subscription: null,
    success_url: request.success_url,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url,
    wallet_options: null,
  } satisfies Stripe.Checkout.Session
}

export const customerDetails = ({ email, name }: { email: string; name: string | null }) =>
  ({
    address: null,
    business_name: null,
    email,
    individual_name: null,
    name,
    phone: null,
    tax_exempt: 'none',
    tax_ids: null,
  }) satisfies Stripe.Checkout.Session['customer_details']
