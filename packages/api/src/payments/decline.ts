/**
 * Why a card was declined, as a customer may read it. The processor's own texts and codes are shown to nobody: they are
 * for merchants, and some of them, such as a stolen card, would tell a thief what the bank knows.
 */
export const declineReasons = [
  'declined',
  'insufficient_funds',
  'limit_reached',
  'expired_card',
  'incorrect_details',
  'not_authenticated',
  'not_supported',
  'not_processed',
] as const
export type DeclineReason = (typeof declineReasons)[number]

const sentences: Record<DeclineReason, string> = {
  declined: 'Your card was declined. Your bank does not tell us why: it can tell you.',
  insufficient_funds: 'Your card was declined: it does not have enough funds.',
  limit_reached: 'Your card was declined: its limit is reached.',
  expired_card: 'Your card was declined: it has expired.',
  incorrect_details: 'Your card was declined: its number, expiry date or security code is not right.',
  not_authenticated: 'Your card was declined: the payment was not confirmed with your bank.',
  not_supported: 'Your card was declined: it does not allow this purchase.',
  not_processed: 'Your card could not be charged because of a technical problem at the bank.',
}

const isReason = (text: string): text is DeclineReason => Object.hasOwn(sentences, text)

/** One sentence or two. A reason of a newer release reads as `declined`. */
export const declineSentence = (reason: string) => sentences[isReason(reason) ? reason : 'declined']
