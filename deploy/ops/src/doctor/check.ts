/**
 * `ok`: as it should be. `note`: works, and is for the operator's attention. `missing`: to be mended before real sales;
 * the text has what to do.
 */
export type Outcome = { state: 'ok' | 'note' | 'missing'; text: string }
export type Result = Outcome & { check: string }

export const ok = (text: string): Outcome => ({ state: 'ok', text })
export const note = (text: string): Outcome => ({ state: 'note', text })
export const missing = (text: string): Outcome => ({ state: 'missing', text })

/** By name. A check that throws is `missing`, with the error's message. */
export type Checks = Record<string, () => Promise<Outcome> | Outcome>

const WITHIN_MS = 30_000

/** Runs all checks at the same time; their results are in the order of their names. */
export const runChecks = (checks: Checks): Promise<Result[]> =>
  Promise.all(
    Object.entries(checks).map(async ([check, run]) => {
      const late = Promise.withResolvers<never>()
      const timer = setTimeout(() => late.reject(new Error(`no response within ${WITHIN_MS / 1_000} s`)), WITHIN_MS)
      try {
        return { check, ...(await Promise.race([run(), late.promise])) }
      } catch (error) {
        return { check, ...missing(describe(error)) }
      } finally {
        clearTimeout(timer)
      }
    }),
  )

/** The message of an error, of `fetch` with its cause. */
export function describe(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { message?: string; code?: string } }
  const reason = cause?.message || cause?.code
  return `${message ?? error}${reason ? `: ${reason}` : ''}`.replaceAll('\n', ' ')
}
