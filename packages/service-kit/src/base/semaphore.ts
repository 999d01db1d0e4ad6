import { tooMany } from './errors.ts'

/** Runs a task as soon as a place is free, and returns its result. `client`: whose share of the queue it waits in. */
export type Semaphore = <Result>(task: () => Promise<Result>, client?: string) => Promise<Result>

/**
 * At most `concurrency` tasks run at once; up to `maxWaiting` more (by default any number) wait in the order of their
 * arrival, of one client at most `maxWaitingPerClient`. A task beyond that is not run: its call rejects with 429 and
 * `Retry-After: 1`.
 */
export function createSemaphore({
  concurrency,
  maxWaiting = Number.POSITIVE_INFINITY,
  maxWaitingPerClient = maxWaiting,
}: {
  concurrency: number
  maxWaiting?: number
  maxWaitingPerClient?: number
}): Semaphore {
  let running = 0
  const waiting: { start: () => void; client?: string }[] = []
  const isFull = (client: string | undefined) =>
    waiting.length >= maxWaiting ||
    (client !== undefined && waiting.filter((each) => each.client === client).length >= maxWaitingPerClient)

  return async (task, client) => {
    if (running >= concurrency) {
      if (isFull(client)) throw tooMany(1)
      // A finished task passes its place to the next one, so `running` does not change.
      await new Promise<void>((start) => waiting.push({ start, client }))
    } else {
      running++
    }
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next) next.start()
      else running--
    }
  }
}
