import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { busy } from './errors.ts'

/** One call of a batch. `inContext` runs a function with the log context and the trace of this call. */
export type BatchCall<Input> = { input: Input; inContext: ReturnType<typeof AsyncLocalStorage.snapshot> }

type Waiting<Input, Result> = BatchCall<Input> & {
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/**
 * Returns a function that runs calls of the same key in batches, in the order of their arrival: those of one turn of
 * the event loop together, those that arrive while they run in the next batch. `run` has the context of the first call
 * of its batch, and returns a result for each call, in their order. When it throws, each call of the batch is run
 * alone, so that one does not fail the others; but with an error that `failsAll` all of them fail that have no result
 * yet. Throws 503 `busy` with `Retry-After: 1` where `maxWaiting` calls of the key wait.
 */
export function createBatches<Input, Result>({
  maxSize,
  maxWaiting,
  run,
  failsAll,
}: {
  maxSize: number
  maxWaiting: number
  run: (key: string, calls: BatchCall<Input>[]) => Promise<Result[]>
  failsAll: (error: unknown) => boolean
}): (key: string, input: Input) => Promise<Result> {
  /** Of the keys that a batch runs for. */
  const queues = new Map<string, Waiting<Input, Result>[]>()

  async function runTogether(key: string, calls: Waiting<Input, Result>[]) {
    const results = await calls[0]!.inContext(run, key, calls)
    for (const [place, { resolve }] of calls.entries()) resolve(results[place]!)
  }

  async function runBatch(key: string, batch: Waiting<Input, Result>[]) {
    try {
      await runTogether(key, batch)
    } catch (error) {
      if (batch.length === 1 || failsAll(error)) for (const { reject } of batch) reject(error)
      else await runAlone(key, batch)
    }
  }

  async function runAlone(key: string, batch: Waiting<Input, Result>[]) {
    for (const [place, each] of batch.entries())
      try {
        await runTogether(key, [each])
      } catch (error) {
        each.reject(error)
        if (!failsAll(error)) continue
        for (const { reject } of batch.slice(place + 1)) reject(error)
        return
      }
  }

  async function runQueue(key: string, queue: Waiting<Input, Result>[]) {
    while (queue.length > 0) {
      await nextTurn()
      await runBatch(key, queue.splice(0, maxSize))
    }
    queues.delete(key)
  }

  return (key, input) =>
    new Promise((resolve, reject) => {
      const call = { input, inContext: AsyncLocalStorage.snapshot(), resolve, reject }
      const queue = queues.get(key)
      if (queue && queue.length >= maxWaiting) return reject(busy({ headers: { 'retry-after': '1' } }))
      if (queue) return queue.push(call)
      const started = [call]
      queues.set(key, started)
      void runQueue(key, started)
    })
}
