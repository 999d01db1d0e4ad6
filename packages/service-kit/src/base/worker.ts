import type { Log } from './logs.ts'
import { createWakeSignal } from './wake-signal.ts'

/** A job that a service repeats. `run` returns true if it continues at once; jobs that wait beside it are counted by `due`. */
export type Worker = {
  name: string
  /** Interval in ms at which it checks for work; the longest delay of work that becomes due by the clock. See `untilNext`. */
  everyMs: number
  /** Whether a NOTIFY on the channel `work` with its name reports a job to it: see migration 006 of the service kit. */
  isNotified?: boolean
  /** Whether one run does all jobs that were reported before it. Absent: one each. */
  runsAll?: boolean
  run: () => Promise<boolean | void>
  /** Jobs that are due, at most `atMost`: one statement, so that an idle worker opens no transaction. Absent: always one. */
  due?: (atMost: number) => Promise<number>
  /** Runs at the same time; 1 when absent. With more, a slow run delays no other. */
  concurrency?: number
}

/**
 * Workers of one interval check for work at the same time, at the multiples of it since the process started: one wake-up for
 * all costs an idle process less than one for each. A millisecond later, because timers may be early by one.
 */
const untilNext = (everyMs: number) => Math.ceil(everyMs - (performance.now() % everyMs)) + 1

/** Runs the job until stopped. A failure is logged, and the next run follows at the usual time. */
export function startWorker(worker: Worker, log: Log) {
  const { name, everyMs, run, runsAll = false, due = async () => 1, concurrency = 1 } = worker
  let stopped = false
  const wakeSignal = createWakeSignal()
  const running = new Set<Promise<void>>()
  /** Whether the last `due` found more jobs than free places. */
  let othersWait = false
  /** Jobs that were reported and have no run yet. */
  let reported = 0
  const together = (jobs: number) => (runsAll ? Math.min(1, jobs) : jobs)
  let isWoken = true
  let nextCountAt = 0

  const logFailure = (error: unknown) => {
    if (!stopped) log.warn({ err: error, worker: name, nextRunMs: everyMs }, 'worker: run failed, retrying')
  }
  async function runToEnd() {
    while ((await run()) && !stopped);
  }
  function start() {
    const job = runToEnd()
      .then(() => othersWait, logFailure)
      .then((again) => {
        // First, so that the loop that is woken counts a free place.
        running.delete(job)
        if (reported > 0) wakeSignal.wake()
        else if (again) wake()
      })
    running.add(job)
    return job
  }
  function wake() {
    isWoken = true
    wakeSignal.wake()
  }

  function startReported() {
    const count = Math.min(reported, concurrency - running.size)
    reported -= count
    return Array.from({ length: count }, start)
  }
  async function startDue() {
    isWoken = false
    const asked = concurrency - running.size
    const reportedBefore = reported
    // A count that is under way may miss what is reported from now on.
    reported = 0
    // One more than there are places: so no statement is needed after each run to learn whether others wait.
    const counted = asked > 0 ? await due(asked + 1).catch(logFailure) : 1
    const count = counted ?? 0
    // Places that became free meanwhile are used too: their runs ended before it was known that others wait.
    const free = concurrency - running.size
    othersWait = count > asked
    const starts = stopped ? 0 : Math.min(count, free)
    // The count includes what was reported before it, unless it failed.
    const notStarted = counted === undefined ? reportedBefore : othersWait ? Math.max(0, reportedBefore - starts) : 0
    reported = together(reported + notStarted)
    return Array.from({ length: starts }, start)
  }

  const looping = (async () => {
    while (!stopped) {
      const isCount = isWoken || performance.now() >= nextCountAt
      const jobs = isCount ? await startDue() : startReported()
      // A single job ends before the next one starts, however long it takes.
      if (concurrency === 1) await jobs[0]
      if (isCount) nextCountAt = performance.now() + untilNext(everyMs)
      const isReported = reported > 0 && running.size < concurrency
      if (!stopped && !isReported) await wakeSignal.wait(Math.ceil(Math.max(0, nextCountAt - performance.now())))
    }
    await Promise.all(running)
  })()

  return {
    /** Counts the due jobs at once. */
    wake,
    /** Starts a run for a job, without counting first. */
    report: () => {
      reported = together(reported + 1)
      wakeSignal.wake()
    },
    stop: async () => {
      stopped = true
      wakeSignal.wake()
      await looping
    },
  }
}
