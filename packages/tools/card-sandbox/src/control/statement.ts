import type { LedgerEntry } from '../store/object.ts'
import type { Store } from '../store/store.ts'

/** All ledger entries, oldest first, and their totals in cents. */
export function statementOf({ entries, clock }: Store) {
  const sum = (...kinds: LedgerEntry['kind'][]) =>
    entries.filter(({ kind }) => kinds.includes(kind)).reduce((total, { amount }) => total + amount, 0)
  const [held, captured, released] = [sum('held'), sum('captured'), sum('released')]
  return {
    now: clock.seconds(),
    entries,
    totals: {
      held,
      captured,
      released,
      /** Held, but not yet captured or released. */
      inFlight: held - captured - released,
      refunded: sum('refunded') - sum('refund_failed'),
      disputed: sum('disputed') - sum('dispute_won'),
    },
  }
}
