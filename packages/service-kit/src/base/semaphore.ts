import { tooMany } from './errors.ts'

/** Of the tasks that wait, which run before others. */
export type Order = 'first' | 'normal' | 'last'
const ranks: Record<Order, number> = { first: 0, normal: 1, last: 2 }

/**
 * Runs a task as soon as a place is free, and returns its result. `client`: whose share of places and queue it takes.
 */
export type Semaphore = <Result>(task: () => Promise<Result>, client?: string, order?: Order) => Promise<Result>

type Waiting = { start: () => void; client?: string; order: Order }

/**
 * At most `concurrency` tasks run at once, of one client at most `concurrencyPerClient`; up to `maxWaiting` more of
 * each order (by default any number) wait in the order of their arrival, of one client at most `maxWaitingPerClient`. A
 * task beyond that is not run: its call rejects with 429 and `Retry-After: 1`.
 */
export function createSemaphore({
  concurrency,
  concurrencyPerClient = concurrency,
  maxWaiting = Number.POSITIVE_INFINITY,
  maxWaitingPerClient = maxWaiting,
}: {
  concurrency: number
  concurrencyPerClient?: number
  maxWaiting?: number
  maxWaitingPerClient?: number
}): Semaphore {
  let running = 0
  const runningOf = new Map<string, number>()
  const waiting: Waiting[] = []

  const mayStart = (client: string | undefined) =>
    running < concurrency && (client === undefined || (runningOf.get(client) ?? 0) < concurrencyPerClient)
  const count = (client: string | undefined, change: 1 | -1) => {
    running += change
    if (client === undefined) return
    const left = (runningOf.get(client) ?? 0) + change
    if (left > 0) runningOf.set(client, left)
    else runningOf.delete(client)
  }
  const isFull = ({ client, order }: Omit<Waiting, 'start'>) =>
    waiting.filter((each) => each.order === order).length >= maxWaiting ||
    (client !== undefined && waiting.filter((each) => each.client === client).length >= maxWaitingPerClient)
  const enqueue = (next: Waiting) => {
    const end = waiting.findIndex(({ order }) => ranks[order] > ranks[next.order])
    waiting.splice(end < 0 ? waiting.length : end, 0, next)
  }
  /** Gives a place that was just freed to the next task that may have it. */
  const startNext = () => {
    const at = waiting.findIndex(({ client }) => mayStart(client))
    const [next] = at < 0 ? [] : waiting.splice(at, 1)
    if (!next) return
    count(next.client, 1)
    next.start()
  }

  return async (task, client, order = 'normal') => {
    if (mayStart(client)) count(client, 1)
    else if (isFull({ client, order })) throw tooMany(1)
    else await new Promise<void>((start) => enqueue({ start, client, order }))
    try {
      return await task()
    } finally {
      count(client, -1)
      startNext()
    }
  }
}
