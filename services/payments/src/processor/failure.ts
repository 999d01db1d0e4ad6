import Stripe from 'stripe'

/**
 * What a failed call means.
 * - `refused`: the processor rejected it; nothing happened.
 * - `unknown`: it may have happened or may still happen; the same call with the same key can be sent again.
 * - `stuck`: the processor stored an error of its own under this key and repeats it; only a read shows what happened.
 */
type Failure = 'refused' | 'unknown' | 'stuck'

export function classifyError(error: unknown): Failure {
  if (!(error instanceof Stripe.errors.StripeError)) return 'unknown'
  const { statusCode, headers } = error
  if (statusCode === undefined) return 'unknown'
  if (statusCode >= 500) return headers?.['idempotent-replayed'] === 'true' ? 'stuck' : 'unknown'
  // A wrong API key, the rate limit, or the same call still running: the same call may succeed later.
  if (statusCode === 401 || statusCode === 403 || statusCode === 429 || isStillRunning(error)) return 'unknown'
  return 'refused'
}

const isStillRunning = ({ statusCode, code }: Stripe.errors.StripeError): boolean =>
  statusCode === 409 || code === 'idempotency_key_in_use'

/** The processor has no such object: a fact about one that it created before. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeError && error.code === 'resource_missing'

/** The call named a Customer that the processor does not have, or no longer. */
export const isCustomerMissing = (error: unknown): boolean =>
  isMissing(error) && (error as Stripe.errors.StripeError).param === 'customer'

/** The same key came with other parameters before. */
export const isKeyOfOther = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeIdempotencyError && !isStillRunning(error)

/** Certain also where the same call may succeed later. */
export const didNothing = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeError &&
  error.statusCode !== undefined &&
  error.statusCode < 500 &&
  !isStillRunning(error)

/** The API key is a restricted one, without the right to this call. */
export const isForbidden = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeError && error.statusCode === 403

/** Null for an object that the processor does not have. */
export const orMissing = <Found>(read: Promise<Found>): Promise<Found | null> =>
  read.catch((error) => {
    if (isMissing(error)) return null
    throw error
  })

/** The processor keeps idempotency keys for at least 24 hours; after that the same call would be a new one. */
export const KEY_VALID_MS = 23 * 3_600_000

export const isKeyExpired = (requestedAt: Date, now: Date) => now.getTime() - requestedAt.getTime() > KEY_VALID_MS

/** The error's code for notes and alarms; never its message, which may contain card data. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Stripe.errors.StripeError)) return 'no response'
  return error.code ?? error.param ?? error.type
}
