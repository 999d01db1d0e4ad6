import Stripe from 'stripe'

/**
 * What a failed call means.
 * - `refused`: the processor said no; nothing happened.
 * - `unknown`: it may or may not have happened, or will not happen now; the same call with the same key may be sent again.
 * - `stuck`: the processor keeps an error of its own under this key and will repeat it; only looking tells what happened.
 */
export type Answer = 'refused' | 'unknown' | 'stuck'

export function meaningOf(error: unknown): Answer {
  if (!(error instanceof Stripe.errors.StripeError)) return 'unknown'
  const { statusCode, code, headers } = error
  if (statusCode === undefined) return 'unknown'
  if (statusCode >= 500) return headers?.['idempotent-replayed'] === 'true' ? 'stuck' : 'unknown'
  // A wrong key of ours, too many calls, or the same call still running: the same call may yet go through.
  if (statusCode === 401 || statusCode === 403 || statusCode === 409 || statusCode === 429) return 'unknown'
  return code === 'idempotency_key_in_use' ? 'unknown' : 'refused'
}

/** Keys are kept for at least 24 hours; after that the same call would be a new one. */
const KEY_LIVES_MS = 23 * 3_600_000

export const isKeyTooOld = (askedAt: Date, now: Date) => now.getTime() - askedAt.getTime() > KEY_LIVES_MS

/** What the processor said, for a note; never a whole message, which may quote a card. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Stripe.errors.StripeError)) return 'no answer'
  return error.code ?? error.param ?? error.type
}
