import type { Worker } from '../base/worker.ts'

/** A number, or a setting with its name and its value. */
type Value<Deps> = number | { setting: string; of: (deps: Deps) => number }

/**
 * What a service repeats beside its requests: an entry of its `jobs.ts`, the list of which services/README.md is the
 * table. `Tables` are those of the service's database.
 */
export type Job<Deps, Tables> = {
  /** What one run does. */
  does: string
  /** The table whose rows are its work. Absent: it works on no rows of one table. */
  work?: keyof Tables & string
  everyMs: Value<Deps>
  /** A NOTIFY on the channel `work` with the name of the job starts a run at once. */
  isNotified?: true
  /** Runs of one process at the same time; 1 when absent. */
  concurrency?: Value<Deps>
  /**
   * When work that failed is tried again: at the next interval, or at a time that its row has, later after each
   * failure, while other work goes on.
   */
  retry: 'next interval' | 'backoff' | 'backoff, then given up'
  /** Created once for a running service, so that it may keep what it has read. */
  handler: (deps: Deps) => Pick<Worker, 'isDue' | 'run'>
}

/** By name, in the order of the table. */
export type Jobs<Deps, Tables> = Record<string, Job<Deps, Tables>>

/** The jobs with what they depend on. */
export function workersOf<Deps>(jobs: Jobs<Deps, any>, deps: Deps): Worker[] {
  const numberOf = (value: Value<Deps>) => (typeof value === 'number' ? value : value.of(deps))
  return Object.entries(jobs).map(([name, { everyMs, isNotified, concurrency = 1, handler }]) => ({
    name,
    everyMs: numberOf(everyMs),
    isNotified,
    concurrency: numberOf(concurrency),
    ...handler(deps),
  }))
}
