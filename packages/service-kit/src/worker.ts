import type { Log } from './logs.ts'
import { createWakeSignal } from './wake-signal.ts'

/** A job that a service repeats. `run` returns true if there is more to do at once. */
export type Worker = { name: string; everyMs: number; run: () => Promise<boolean | void> }

/** Runs the job until stopped. A failure is logged, and the next run follows after the usual interval. */
export function startWorker({ name, everyMs, run }: Worker, log: Log) {
  let stopped = false
  const wakeSignal = createWakeSignal()

  const running = (async () => {
    while (!stopped) {
      const more = await run().catch((error) => {
        if (!stopped) log.warn({ err: error, worker: name, nextRunMs: everyMs }, 'worker: run failed, retrying')
        return false
      })
      if (!more && !stopped) await wakeSignal.wait(everyMs)
    }
  })()

  return {
    stop: async () => {
      stopped = true
      wakeSignal.wake()
      await running
    },
  }
}
