import { type OfferDays, offerDays } from '@nifty/api/offer-days'
import { toCents } from '@nifty/api/shapes'
import { invalid } from '@nifty/service-kit/base/errors'

const wrongAmount = (path: string, what: string) =>
  wrong('invalid_amount', path, `Please enter ${what} from 0.50 € to 999,999.99 € with at most two decimals`)

const wrong = (code: string, path: string, msg: string) => invalid(code, msg, { errors: [{ path, msg }] })

/** Price, in cents, and days of an offer. Throws 400 `invalid_amount`, `invalid_days`. */
export function parseOffer({ price, days }: { price: unknown; days: unknown }): {
  priceCents: number
  days: OfferDays
} {
  const priceCents = toCents(price)
  if (priceCents === null) throw wrongAmount('price', 'a price')
  const found = offerDays.find((each) => each === days)
  if (found === undefined) throw wrong('invalid_days', 'days', `Please choose ${offerDays.join(', ')} days`)
  return { priceCents, days: found }
}

/** The most that a bidder would pay, in cents. Throws 400 `invalid_amount`. */
export function parseLimit(limit: unknown): number {
  const limitCents = toCents(limit)
  if (limitCents === null) throw wrongAmount('limit', 'an amount')
  return limitCents
}
