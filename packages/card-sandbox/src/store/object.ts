import type Stripe from 'stripe'

/** What was asked for when a session was created, as far as the public object does not show it. */
export type Basket = {
  object: 'sandbox.basket'
  /** The session's id. */
  id: string
  items: Item[]
  captureMethod: 'automatic' | 'automatic_async' | 'manual'
  intentData: { description?: string; metadata?: Record<string, string>; receipt_email?: string }
}

export type Item = {
  name: string
  description?: string
  images: string[]
  unitAmount: number
  quantity: number
}

/** Who pays an intent with which card. */
export type Payment = {
  object: 'sandbox.payment'
  /** The intent's id. */
  id: string
  session: string
  /** Digits of a published test card. */
  card: string
  /** When an open hold lapses, seconds. */
  holdUntil: number | null
}

/** A refund whose outcome is still to come. */
export type Settlement = {
  object: 'sandbox.settlement'
  /** The refund's id. */
  id: string
  outcome: 'succeeded' | 'failed'
  /** Seconds; null once it is settled. */
  due: number | null
}

export type Things = {
  'checkout.session': Stripe.Checkout.Session
  payment_intent: Stripe.PaymentIntent
  charge: Stripe.Charge
  refund: Stripe.Refund
  dispute: Stripe.Dispute
  balance_transaction: Stripe.BalanceTransaction
  'radar.early_fraud_warning': Stripe.Radar.EarlyFraudWarning
  event: Stripe.Event
  'sandbox.basket': Basket
  'sandbox.payment': Payment
  'sandbox.settlement': Settlement
}
export type Kind = keyof Things
export type Thing = Things[Kind]

export const kinds = [
  'checkout.session',
  'payment_intent',
  'charge',
  'refund',
  'dispute',
  'balance_transaction',
  'radar.early_fraud_warning',
  'event',
  'sandbox.basket',
  'sandbox.payment',
  'sandbox.settlement',
] as const satisfies Kind[]

/** What happened to money or to the chance of it: the witness's statement. Amounts in cents. */
export type Fact = {
  kind:
    | 'session_created'
    | 'session_expired'
    | 'declined'
    | 'authentication_asked'
    | 'held'
    | 'captured'
    | 'released'
    | 'refunded'
    | 'refund_failed'
    | 'disputed'
    | 'dispute_won'
  session: string
  reference: string | null
  payment_intent: string | null
  amount: number
  currency: string
  reason?: string
}

/** The moment (seconds) at which something happens to a thing by itself, or null. */
export function dueTime(thing: Thing): number | null {
  switch (thing.object) {
    case 'checkout.session':
      return thing.status === 'open' ? thing.expires_at : null
    case 'sandbox.payment':
      return thing.holdUntil
    case 'sandbox.settlement':
      return thing.due
    default:
      return null
  }
}
