import { parseEmail } from '@nifty/api/email-address'
import { giftTextProblem, readGiftText } from '@nifty/api/gift-text'
import type { DeliverTo } from '@nifty/api/payments/public'
import { invalid, tooManyToday } from '@nifty/service-kit/base/errors'

/** Where the link to claim a bought work is mailed, and what its giver writes. */
export type Gift = { email: string; text: string }

/** One gift has one recipient and one mail, so it is one work. */
const MAX_WORKS = 1

export const tooManyGifts = () =>
  tooManyToday('too_many_gifts', 'Too many gifts were sent today. Please try again tomorrow.')

const wrong = (path: string, msg: string) => invalid('invalid_gift', msg, { errors: [{ path, msg }] })

/** The gift of a purchase; undefined when the request does not say. Throws 400 `invalid_gift` beside the field. */
export function parseGift(
  gift: { email: string; text?: string } | null | undefined,
  { deliverTo, works }: { deliverTo: DeliverTo; works: number },
): Gift | null | undefined {
  if (!gift) return gift
  if (deliverTo !== 'custody') throw wrong('deliverTo', 'The store keeps a gift until its recipient accepts it')
  if (works > MAX_WORKS) throw wrong('items', 'Please give works one by one')
  const email = parseEmail(gift.email)
  if (email === null) throw wrong('gift.email', 'Please enter a valid e-mail address')
  const problem = giftTextProblem(gift.text ?? '')
  if (problem) throw wrong('gift.text', problem)
  return { email, text: readGiftText(gift.text ?? '') }
}
