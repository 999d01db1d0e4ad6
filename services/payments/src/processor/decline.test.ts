import { expect, test } from 'vitest'
import { declineOf } from './decline.ts'

const failedWith = (error: { code: string; decline_code?: string } | null) =>
  declineOf({ last_payment_error: error as never })

test.each([
  [{ code: 'card_declined', decline_code: 'insufficient_funds' }, 'insufficient_funds'],
  [{ code: 'card_declined', decline_code: 'generic_decline' }, 'declined'],
  [{ code: 'card_declined', decline_code: 'stolen_card' }, 'declined'],
  [{ code: 'card_declined', decline_code: 'card_velocity_exceeded' }, 'limit_reached'],
  [{ code: 'expired_card' }, 'expired_card'],
  [{ code: 'incorrect_cvc' }, 'incorrect_details'],
  [{ code: 'payment_intent_authentication_failure' }, 'not_authenticated'],
  [{ code: 'processing_error' }, 'not_processed'],
  [{ code: 'a_code_of_next_year', decline_code: 'toString' }, 'declined'],
])('the error %j reads as %s', (error, reason) => expect(failedWith(error)).toBe(reason))

test('a payment without a failed attempt has no reason', () => expect(failedWith(null)).toBeNull())
