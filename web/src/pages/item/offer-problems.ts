import { formatPrice } from '@nifty/api/price'
import type { ApiError } from '../../api/api.ts'
import type { FormErrors } from '../../ui/forms/use-form.ts'

type Refusal = Pick<ApiError, 'status' | 'code' | 'message' | 'details'>

/** Why an offer was refused: beside the field that it is about, or below the form. */
export function offerProblems(
  { status, code, message, details }: Refusal,
  { isOnline }: { isOnline: boolean },
): FormErrors {
  switch (code) {
    case 'too_low': {
      const { minimum } = details
      const price = typeof minimum === 'number' ? `The owner takes offers from ${formatPrice(minimum)}` : message
      return { fields: { price } }
    }
    case 'invalid_amount':
      return { fields: { price: message } }
    case 'invalid_days':
      return { fields: { days: message } }
    case 'wallet_required':
    case 'recipient_refuses':
      return { fields: { deliverTo: message } }
    case 'no_offers':
      return { message: 'The owner no longer takes offers for this work.' }
    case 'offers_off':
      return { message: 'The store takes no offers at the moment.' }
    default:
      if (status === 0 && !isOnline) return { message: 'You are offline. Please try again once you are connected.' }
      return { message }
  }
}
