import { startWorker, type Worker } from '../base/worker.ts'
import { testLog } from './log.ts'

export const HOUR_MS = 3_600_000

/** Runs that the test ends. */
export function pendingRuns() {
  const ends: ((more: boolean) => void)[] = []
  return { ends, run: () => new Promise<boolean>((resolve) => ends.push(resolve)) }
}

/** A worker with an interval of 5 ms by default. */
export const startTestWorker = (worker: Partial<Worker> & Pick<Worker, 'run'>) =>
  startWorker({ name: 'test', everyMs: 5, ...worker }, testLog)
