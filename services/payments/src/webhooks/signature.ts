import { invalid } from '@nifty/service-kit/base/errors'
import Stripe from 'stripe'

/** In both directions: the package itself accepts timestamps in the future. */
const TOLERANCE_S = 300

const forged = () => invalid('invalid_signature', 'Invalid signature')

type Signed = { rawBody: Buffer; signature: string | undefined; secrets: string[]; livemode: boolean; nowMs: number }

/** Verifies a signed request and returns its event. Throws 400 unless signature, timestamp and mode are valid. */
export function readEvent({ rawBody, signature, secrets, livemode, nowMs }: Signed): Stripe.Event {
  if (!signature || isFromTheFuture(signature, nowMs)) throw forged()
  for (const secret of secrets) {
    const event = verified(rawBody, signature, secret)
    if (!event) continue
    if (!isText(event.id) || !isText(event.type) || event.livemode !== livemode) throw forged()
    return event
  }
  throw forged()
}

function verified(rawBody: Buffer, signature: string, secret: string): Stripe.Event | undefined {
  try {
    return Stripe.webhooks.constructEvent(rawBody, signature, secret, TOLERANCE_S)
  } catch {
    return undefined
  }
}

const isText = (value: unknown) => typeof value === 'string' && value.isWellFormed() && !value.includes('\0')

const isFromTheFuture = (signature: string, nowMs: number) =>
  [...signature.matchAll(/(?:^|,)t=(\d{1,15})/g)].some(
    ([, seconds]) => Number(seconds) * 1000 > nowMs + TOLERANCE_S * 1000,
  )
