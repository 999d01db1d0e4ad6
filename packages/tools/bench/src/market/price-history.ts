/** Prices of items by the time of their change, and the age of the oldest price in a response. */
export function createHistory() {
  const changes = new Map<string, { cents: number; committedAt?: number }[]>()
  const of = (id: string) => {
    const known = changes.get(id) ?? []
    changes.set(id, known)
    return known
  }
  let [oldest, compared] = [0, 0]
  return {
    /** A price may be shown from now on. */
    requested: (id: string, cents: number) => void of(id).push({ cents }),
    /** The response to the change has arrived: it was committed by `at`, ms. */
    committed: (id: string, cents: number, at: number) => {
      const change = of(id).findLast((each) => each.cents === cents)
      if (change) change.committedAt = at
    },
    /** The response to a request of `sentAt` had this price. Prices that were never requested are from before. */
    shown: (id: string, cents: number, sentAt: number) => {
      const known = of(id)
      if (known.some((each) => each.cents === cents)) compared++
      const next = known[known.findLastIndex((each) => each.cents === cents) + 1]
      if (next?.committedAt !== undefined) oldest = Math.max(oldest, sentAt - next.committedAt)
    },
    /** Milliseconds; 0 when every response was newer than the last change before its request. */
    oldestMs: () => oldest,
    /** How many shown prices were of a requested change. */
    compared: () => compared,
  }
}
