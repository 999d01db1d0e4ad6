import type Stripe from 'stripe'

/** Parameters of a session's creation that its public object does not contain. */
export type Basket = {
  object: 'sandbox.basket'
  /** The session's id. */
  id: string
  items: Item[]
  captureMethod: 'automatic' | 'automatic_async' | 'manual'
  intentData: {
    description?: string
    metadata?: Record<string, string>
    receipt_email?: string
    statement_descriptor_suffix?: string
  }
}

export type Item = {
  name: string
  description?: string
  images: string[]
  unitAmount: number
  quantity: number
}

/** The card with which an intent is paid. */
export type Payment = {
  object: 'sandbox.payment'
  /** The intent's id. */
  id: string
  session: string
  /** Digits of a published test card. */
  card: string
  /** The buyer wants the card saved. Absent in ledgers of a former version. */
  save?: boolean
  /** The id of the saved card that is used; absent for one that was typed. */
  savedCard?: string
  /** When an open hold expires, seconds. */
  holdUntil: number | null
}

/** A card that a customer has saved on the payment page. */
export type SavedCard = {
  object: 'sandbox.saved_card'
  /** The id of its payment method. */
  id: string
  customer: string
  /** Digits of a published test card. */
  number: string
  name: string
  email: string
  isRemoved: boolean
}

/** A refund that finishes later. */
export type PendingRefund = {
  object: 'sandbox.pending_refund'
  /** The refund's id. */
  id: string
  outcome: 'succeeded' | 'failed'
  /** Seconds; null once it is finished. */
  due: number | null
}

export type ObjectByType = {
  customer: Stripe.Customer | Stripe.DeletedCustomer
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
  'sandbox.saved_card': SavedCard
  'sandbox.pending_refund': PendingRefund
}
export type ObjectType = keyof ObjectByType
export type StoredObject = ObjectByType[ObjectType]

export const objectTypes = [
  'customer',
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
  'sandbox.saved_card',
  'sandbox.pending_refund',
] as const satisfies ObjectType[]

/** An entry of the control API's ledger: a step of a payment. Amounts in cents. */
export type LedgerEntry = {
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

/** The time (seconds) of an object's next automatic change, or null. */
export function dueTime(stored: StoredObject): number | null {
  switch (stored.object) {
    case 'checkout.session':
      return stored.status === 'open' ? stored.expires_at : null
    case 'sandbox.payment':
      return stored.holdUntil
    case 'sandbox.pending_refund':
      return stored.due
    default:
      return null
  }
}
