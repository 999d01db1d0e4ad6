/** What a run of a job takes, in random order: those that fail again and again keep no others waiting. */
export const DUE_AT_ONCE = 20

/** No action begins later in a run, so that the next one stores soon that auctions are watched. */
const RUN_MS = 10_000

/** Runs an action for each, one after the other, for about ten seconds. Throws what failed at the end. */
export async function eachDue<Due>(due: Due[], action: (one: Due) => Promise<unknown>) {
  const errors: unknown[] = []
  const began = performance.now()
  for (const one of due) {
    if (performance.now() - began > RUN_MS) break
    await action(one).catch((error: unknown) => errors.push(error))
  }
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} of ${due.length} failed: ${errors[0]}`)
}
