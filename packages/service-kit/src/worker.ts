import { createWakeSignal } from './bell.ts'
import type { Log } from './logs.ts'

/** Something that a service does again and again. `run` returns true when there is more to do at once. */
export type Worker = { name: string; everyMs: number; run: () => Promise<boolean | void> }

/** Runs it until stopped; a failure is logged and tried again after the usual pause. */
export function startWorker({ name, everyMs, run }: Worker, log: Log) {
  let stopped = false
  const bell = createWakeSignal()

  const running = (async () => {
    while (!stopped) {
      const more = await run().catch((error) => {
        if (!stopped) log.warn({ err: error, worker: name }, 'worker failed, trying again')
        return false
      })
      if (!more && !stopped) await bell.wait(everyMs)
    }
  })()

  return {
    stop: async () => {
      stopped = true
      bell.ring()
      await running
    },
  }
}
