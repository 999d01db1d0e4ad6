import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { cpuMsOf } from '../processes/processes.ts'
import type { Load, Metrics } from './load.ts'

/** The serving processes and the CPU time that they use without requests, ms a second. */
export type Serving = { pids: number[]; idleMsPerSecond: number }

const IDLE_MS = 3_000

export async function measureIdle(pids: number[]): Promise<Serving> {
  const { cpuMs, seconds } = await measureCpu(pids, () => sleep(IDLE_MS))
  return { pids, idleMsPerSecond: cpuMs / seconds }
}

/**
 * Sends the load from a process of its own, so that the generator does not share an event loop with a server, and
 * returns the CPU time a request of the serving processes, µs, all threads. What they use without requests is taken
 * off: how many requests share it depends on the load.
 */
export async function sendLoad(load: Load, { pids, idleMsPerSecond }: Serving): Promise<Metrics & { cpuUs: number }> {
  const program = join(import.meta.dirname, 'load.ts')
  const send = () => promisify(execFile)(process.execPath, [program, JSON.stringify(load)])
  const { result, cpuMs, seconds } = await measureCpu(pids, send)
  const metrics: Metrics = JSON.parse(result.stdout)
  return { ...metrics, cpuUs: ((cpuMs - idleMsPerSecond * seconds) * 1_000) / metrics.requests }
}

async function measureCpu<Result>(pids: number[], work: () => Promise<Result>) {
  const [began, before] = [performance.now(), cpuMsOf(pids)]
  const result = await work()
  return { result, cpuMs: cpuMsOf(pids) - before, seconds: (performance.now() - began) / 1_000 }
}
