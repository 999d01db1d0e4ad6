import { PERMIT_LASTS_LONGER_MS } from '@nifty/api/auction-limits'

const HOUR_MS = 3_600_000
/** The owner reads so early that a permit ends too soon. */
const READ_EARLIER_MS = 7 * 24 * HOUR_MS

/**
 * `short`: bids are refused, because the permit does not last for the auction. `ending`: so it will be within a week,
 * from `from` on, ms. `validUntil`: ISO 8601; null: the store has no permit.
 */
export type PermitTerm = { state: 'long' } | { state: 'short' } | { state: 'ending'; from: number }

/** Whether the permit of a work in a wallet lasts for an auction whose first bid is waited for. */
export function permitTermOf(
  { hours, validUntil }: { hours: number; validUntil: string | null },
  now: number,
): PermitTerm {
  if (validUntil === null) return { state: 'short' }
  const from = Date.parse(validUntil) - hours * HOUR_MS - PERMIT_LASTS_LONGER_MS
  if (from <= now) return { state: 'short' }
  return from <= now + READ_EARLIER_MS ? { state: 'ending', from } : { state: 'long' }
}
