import { tooMany } from './errors.ts'

/** Runs a task as soon as a place is free, and returns its result. */
export type Semaphore = <Result>(task: () => Promise<Result>) => Promise<Result>

/**
 * At most `concurrency` tasks run at once; up to `maxWaiting` more (by default any number) wait in the order of their
 * arrival. A task beyond that is not run: its call rejects with 429 and `Retry-After: 1`.
 */
export function createSemaphore({
  concurrency,
  maxWaiting = Number.POSITIVE_INFINITY,
}: {
  concurrency: number
  maxWaiting?: number
}): Semaphore {
  let running = 0
  const waiting: (() => void)[] = []

  return async (task) => {
    if (running >= concurrency) {
      if (waiting.length >= maxWaiting) throw tooMany(1)
      // A finished task passes its place to the next one, so `running` does not change.
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else {
      running++
    }
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
