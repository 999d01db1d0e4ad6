import type { Hold, Session } from '../../processor/processor.ts'

export const CURRENCY = 'eur'

/** The page and the hold must both be about exactly what was ordered. */
export const isAsOrdered = (
  session: Pick<Session, 'amount' | 'currency'>,
  hold: Pick<Hold, 'amount' | 'currency'>,
  { totalCents }: { totalCents: number },
): boolean =>
  session.amount === totalCents &&
  session.currency === CURRENCY &&
  hold.amount === totalCents &&
  hold.currency === CURRENCY
