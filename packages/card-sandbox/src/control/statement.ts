import type { Fact } from '../store/object.ts'
import type { Books } from '../store/store.ts'

/** The ledger as a statement: what happened, oldest first, and its sums in cents. */
export function statementOf({ facts, clock }: Books) {
  const sum = (...kinds: Fact['kind'][]) =>
    facts.filter(({ kind }) => kinds.includes(kind)).reduce((total, { amount }) => total + amount, 0)
  const [held, captured, released] = [sum('held'), sum('captured'), sum('released')]
  return {
    now: clock.seconds(),
    entries: facts,
    totals: {
      held,
      captured,
      released,
      /** Held and neither captured nor released yet. */
      inFlight: held - captured - released,
      refunded: sum('refunded') - sum('refund_failed'),
      disputed: sum('disputed') - sum('dispute_won'),
    },
  }
}
