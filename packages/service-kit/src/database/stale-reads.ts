import { ExpectedError } from '../base/errors.ts'
import { within } from '../base/within.ts'
import { isTransientDatabaseError } from './database.ts'

/** For this time, in milliseconds, the last result of a read is used while its source does not respond (RFC 5861). */
export const STALE_IF_ERROR_MS = 60_000

/** True for an error that another attempt may not have. */
export const isUnavailable = (error: unknown) =>
  isTransientDatabaseError(error) || (error instanceof ExpectedError && error.statusCode === 503)

/**
 * Keeps the last result of each key, of at most `max` keys. `get` reads, and resolves with the result of the last
 * minute while the source does not respond, or not within `withinMs` (milliseconds). Every other error is thrown.
 */
export function createStaleReads<Result>({ max, withinMs }: { max: number; withinMs: number }) {
  const results = new Map<string, { result: Result; asOf: number }>()

  function find(key: string) {
    const found = results.get(key)
    return found && performance.now() - found.asOf < STALE_IF_ERROR_MS ? found : undefined
  }

  function keep(key: string, result: Result, asOf: number) {
    if ((results.get(key)?.asOf ?? Number.NEGATIVE_INFINITY) > asOf) return
    // The first key of a map is the one that was set first.
    results.delete(key)
    results.set(key, { result, asOf })
    if (results.size > max) results.delete(results.keys().next().value!)
  }

  return {
    get: async (key: string, read: () => Promise<Result>): Promise<Result> => {
      const stale = find(key)
      const asOf = performance.now()
      try {
        const result = await (stale ? within(withinMs, read()) : read())
        keep(key, result, asOf)
        return result
      } catch (error) {
        if (!isUnavailable(error)) results.delete(key)
        else if (stale) return stale.result
        throw error
      }
    },
  }
}
