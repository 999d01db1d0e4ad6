/** The behaviour of a published test card. `onRequest`: authentication only when the shop asks for it. */
export type Behaviour =
  | { kind: 'approved'; later?: 'dispute' | 'fraud_warning' | 'refund_pending' | 'refund_fails' }
  | { kind: 'authentication'; onRequest?: true }
  | { kind: 'declined'; code: string; declineCode?: string; message: string }

export type Card = { number: string; brand: 'visa' | 'mastercard' | 'amex' }

const declined = (declineCode: string, message: string): Behaviour => ({
  kind: 'declined',
  code: 'card_declined',
  declineCode,
  message,
})

const behaviours: Record<string, Behaviour> = {
  '4242424242424242': { kind: 'approved' },
  '5555555555554444': { kind: 'approved' },
  '378282246310005': { kind: 'approved' },
  '4000000000000002': declined('generic_decline', 'Your card was declined.'),
  '4000000000009995': declined('insufficient_funds', 'Your card has insufficient funds.'),
  '4000000000000069': { kind: 'declined', code: 'expired_card', message: 'Your card has expired.' },
  '4000000000000127': { kind: 'declined', code: 'incorrect_cvc', message: "Your card's security code is incorrect." },
  '4000000000000119': {
    kind: 'declined',
    code: 'processing_error',
    message: 'An error occurred while processing your card. Try again in a little bit.',
  },
  '4000002500003155': { kind: 'authentication' },
  '4000000000003220': { kind: 'authentication' },
  '4000000000003055': { kind: 'authentication', onRequest: true },
  '4000000000000259': { kind: 'approved', later: 'dispute' },
  '4000000000005423': { kind: 'approved', later: 'fraud_warning' },
  '4000000000007726': { kind: 'approved', later: 'refund_pending' },
  '4000000000005126': { kind: 'approved', later: 'refund_fails' },
}

/** Test cards that the pay page lists. */
export const hints = [
  { number: '4242424242424242', effect: 'is accepted' },
  { number: '4000002500003155', effect: 'requires authentication' },
  { number: '4000000000000002', effect: 'is declined' },
  { number: '4000000000009995', effect: 'has insufficient funds' },
  { number: '4000000000000259', effect: 'is disputed after the capture' },
] as const

/** Any other card is declined, as Stripe declines real cards in test mode. */
export const behaviourOf = (number: string): Behaviour =>
  behaviours[number] ??
  declined('test_mode_live_card', 'Your card was declined: this is a sandbox, use one of the test cards.')

export const brandOf = (number: string): Card['brand'] =>
  number.startsWith('5') ? 'mastercard' : number.startsWith('3') ? 'amex' : 'visa'

export const digitsOf = (typed: string) => typed.replaceAll(/[\s-]/g, '')

/** `4242424242424242` as it is printed on a card. */
export const printed = (number: string) => number.replaceAll(/(\d{4})(?=\d)/g, '$1 ')

/** Whether digits have the length and the check digit of a card number. */
export function isCardNumber(digits: string): boolean {
  if (!/^\d{13,19}$/.test(digits)) return false
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const doubled = index % 2 === 1 ? Number(digit) * 2 : Number(digit)
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return sum % 10 === 0
}

/** Month and year of `12 / 34` or `1234`; undefined when it is no date. */
export function readExpiry(typed: string): { month: number; year: number } | undefined {
  const [, month, year] = /^(\d{1,2}(?=\s*[/-])|\d{2})\s*[/-]?\s*(?:20)?(\d{2})$/.exec(typed.trim()) ?? []
  if (!month || !year || Number(month) < 1 || Number(month) > 12) return undefined
  return { month: Number(month), year: 2000 + Number(year) }
}
