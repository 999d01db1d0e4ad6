import { busy } from './errors.ts'

/**
 * Rejects with `late`, a 503 `busy` by default, where the result takes longer than `ms` milliseconds; it goes on. A
 * timer may fire up to a millisecond early.
 */
export async function within<Result>(ms: number, result: Promise<Result>, late: () => Error = busy): Promise<Result> {
  const { promise: timeUp, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(late()), Math.max(0, Math.ceil(ms) + 1))
  try {
    return await Promise.race([result, timeUp])
  } finally {
    clearTimeout(timer)
  }
}
