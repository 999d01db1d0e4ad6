type Captured = { id: string; capturedCents: number }

/** `lineIds`: the lines that it concerns; null when they are not named. */
type Withdrawal = { id: string; withdrawnCents: number; lineIds: string[] | null }

/** The part of a withdrawal that one line bears, cents. */
export type Part = { reversalId: string; lineId: string; cents: number }

export type Allocation = { parts: Part[]; ambiguous: string[] }

/**
 * Divides refunds and disputes of one payment among its lines, in the sequence given. First those whose lines are
 * named, then the others. One that takes less than all that is left of several lines is `ambiguous`: its parts are
 * provisional until an operator names the lines. What exceeds the lines goes to the first of them.
 */
export function allocate(lines: Captured[], withdrawals: Withdrawal[]): Allocation {
  const left = new Map(
    lines.filter(({ capturedCents }) => capturedCents > 0).map((line) => [line.id, line.capturedCents]),
  )
  const parts: Part[] = []
  const ambiguous: string[] = []
  const take = ({ id, withdrawnCents }: Withdrawal, candidates: string[]) => {
    let rest = withdrawnCents
    const taken = candidates.map((lineId) => {
      const cents = Math.min(rest, left.get(lineId)!)
      left.set(lineId, left.get(lineId)! - cents)
      rest -= cents
      return { reversalId: id, lineId, cents }
    })
    if (taken[0]) taken[0].cents += rest
    parts.push(...taken)
  }

  const known = ({ lineIds }: Withdrawal) => lineIds?.some((id) => left.has(id)) ?? false
  for (const withdrawal of withdrawals.filter(known))
    take(
      withdrawal,
      [...left.keys()].filter((id) => withdrawal.lineIds!.includes(id)),
    )
  for (const withdrawal of withdrawals.filter((one) => !known(one))) {
    const open = [...left.values()].filter((cents) => cents > 0)
    const sum = open.reduce((total, cents) => total + cents, 0)
    if (open.length > 1 && withdrawal.withdrawnCents > 0 && withdrawal.withdrawnCents < sum)
      ambiguous.push(withdrawal.id)
    take(withdrawal, [...left.keys()])
  }
  return { parts: parts.filter(({ cents }) => cents > 0), ambiguous }
}
