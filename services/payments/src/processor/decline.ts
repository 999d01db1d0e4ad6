import type { DeclineReason } from '@nifty/api/payments/decline'
import type Stripe from 'stripe'

/**
 * Codes of errors and declines (https://docs.stripe.com/declines/codes). All others are `declined`, also those of lost,
 * stolen and suspicious cards.
 */
const reasons: Record<string, DeclineReason> = {
  insufficient_funds: 'insufficient_funds',
  card_velocity_exceeded: 'limit_reached',
  withdrawal_count_limit_exceeded: 'limit_reached',
  expired_card: 'expired_card',
  incorrect_number: 'incorrect_details',
  invalid_number: 'incorrect_details',
  incorrect_cvc: 'incorrect_details',
  invalid_cvc: 'incorrect_details',
  incorrect_zip: 'incorrect_details',
  incorrect_address: 'incorrect_details',
  invalid_expiry_month: 'incorrect_details',
  invalid_expiry_year: 'incorrect_details',
  authentication_required: 'not_authenticated',
  payment_intent_authentication_failure: 'not_authenticated',
  card_not_supported: 'not_supported',
  currency_not_supported: 'not_supported',
  transaction_not_allowed: 'not_supported',
  issuer_not_available: 'not_processed',
  processing_error: 'not_processed',
  reenter_transaction: 'not_processed',
  try_again_later: 'not_processed',
}

/** Why the last attempt to pay failed; null when none did. */
export function declineOf({
  last_payment_error: error,
}: Pick<Stripe.PaymentIntent, 'last_payment_error'>): DeclineReason | null {
  if (!error) return null
  const known = [error.decline_code, error.code].find((code) => code !== undefined && Object.hasOwn(reasons, code))
  return known === undefined ? 'declined' : reasons[known]!
}
