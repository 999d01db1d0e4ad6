/** The objective of a sale: from the card's hold to its capture. */
const OBJECTIVE_S = 600

export type SaleTimes = ReturnType<typeof createSaleTimes>

/** Counts the sales that this process captured, by whether they reached the objective. */
export function createSaleTimes() {
  const counted = { in_time: 0, late: 0 }
  return {
    captured: (seconds: number) => {
      counted[seconds <= OBJECTIVE_S ? 'in_time' : 'late']++
    },
    counted: (): Readonly<typeof counted> => counted,
  }
}
