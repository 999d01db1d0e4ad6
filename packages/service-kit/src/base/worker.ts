import type { Log } from './logs.ts'
import { createWakeSignal } from './wake-signal.ts'

/** A job that a service repeats. */
export type Worker = {
  name: string
  /**
   * Interval in ms at which it searches for work; the longest delay of work that becomes due by the clock. See
   * `untilNext`.
   */
  everyMs: number
  /**
   * Whether a NOTIFY on the channel `work` with its name reports one piece of work: see migration 006 of the service
   * kit.
   */
  isNotified?: boolean
  /**
   * Whether a piece of work is due that no process has locked: one statement, so that an idle worker opens no
   * transaction. Where it is given, an interval runs until nothing is due; else it runs once.
   */
  isDue?: () => Promise<boolean>
  /** Does one piece of work, if one is due. True: runs again at once. */
  run: () => Promise<boolean | void>
  /** Runs at the same time; 1 when absent. With more, a slow run delays no other. */
  concurrency?: number
}

/**
 * Workers of one interval search for work at the same time, at the multiples of it since the process started: one
 * wake-up for all costs an idle process less than one for each. A millisecond later, because timers may be early by
 * one.
 */
const untilNext = (everyMs: number) => Math.ceil(everyMs - (performance.now() % everyMs)) + 1

/**
 * Wakes, starts what it has places for, and waits, until stopped. A failure is logged, and the next run follows at the
 * usual time.
 */
export function startWorker({ name, everyMs, isDue, run, concurrency = 1 }: Worker, log: Log) {
  const signal = createWakeSignal()
  const running = new Set<Promise<void>>()
  let stopped = false
  let nextSearchAt = 0
  /** Runs to start: of work that was reported, and of work that has to be searched for. */
  let reports = 0
  let searches = 0

  async function runReported() {
    while ((await run()) && !stopped);
  }
  async function search() {
    if (isDue && !(await isDue())) return
    await runReported()
    // Here and in one more place: until all are busy or nothing is due.
    if (isDue) searches = Math.min(concurrency, searches + 2)
  }
  function start(what: () => Promise<void>) {
    const job = what()
      .catch((error) => {
        if (!stopped) log.warn({ err: error, worker: name, nextRunMs: everyMs }, 'worker: run failed, retrying')
      })
      .then(() => {
        running.delete(job)
        signal.wake()
      })
    running.add(job)
  }

  const looping = (async () => {
    while (!stopped) {
      if (performance.now() >= nextSearchAt) {
        nextSearchAt = performance.now() + untilNext(everyMs)
        if (running.size < concurrency) searches = Math.max(1, searches)
      }
      for (; reports > 0 && running.size < concurrency; reports--) start(runReported)
      for (; searches > 0 && running.size < concurrency; searches--) start(search)
      await signal.wait(Math.ceil(Math.max(0, nextSearchAt - performance.now())))
    }
    await Promise.all(running)
  })()

  return {
    /**
     * A piece of work was reported: starts a run for it, at once or when a place is free. With as many reports waiting
     * as there are places, their runs do it as well, or a search that follows them where `isDue` is given.
     */
    report: () => {
      if (reports + running.size < 2 * concurrency) reports++
      else if (isDue) searches = Math.max(1, searches)
      signal.wake()
    },
    /** Searches for work at once. */
    wake: () => {
      searches = Math.max(1, searches)
      signal.wake()
    },
    stop: async () => {
      stopped = true
      signal.wake()
      await looping
    },
  }
}
