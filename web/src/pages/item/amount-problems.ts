import { formatPrice } from '@nifty/api/price'
import type { ApiError } from '../../api/api.ts'
import type { FormErrors } from '../../ui/forms/use-form.ts'

type Refusal = Pick<ApiError, 'status' | 'code' | 'message' | 'details'>

/** What an offer and a bid have each for itself. */
const texts: Record<'offer' | 'bid', { tooLow: (minimum: string) => string; codes: Record<string, string> }> = {
  offer: {
    tooLow: (minimum) => `The owner takes offers from ${minimum}`,
    codes: {
      no_offers: 'The owner no longer takes offers for this work.',
      offers_off: 'The store takes no offers at the moment.',
    },
  },
  bid: {
    tooLow: (minimum) => `The least bid is ${minimum} now`,
    codes: {
      auction_closed: 'The auction takes no bids now. Nothing was held.',
      auctions_off: 'The store takes no bids at the moment.',
      own_item: 'This work is your own.',
    },
  },
}

/** Why an offer or a bid was refused: beside the field that it is about, or below the form. */
export function amountProblems(
  kind: keyof typeof texts,
  { status, code, message, details }: Refusal,
  { isOnline }: { isOnline: boolean },
): FormErrors {
  const { tooLow, codes } = texts[kind]
  switch (code) {
    case 'too_low': {
      const { minimum } = details
      return { fields: { amount: typeof minimum === 'number' ? tooLow(formatPrice(minimum)) : message } }
    }
    case 'invalid_amount':
      return { fields: { amount: message } }
    case 'invalid_days':
      return { fields: { days: message } }
    case 'wallet_required':
    case 'recipient_refuses':
      return { fields: { deliverTo: message } }
    default:
      if (status === 0 && !isOnline) return { message: 'You are offline. Please try again once you are connected.' }
      return { message: codes[code] ?? message }
  }
}
