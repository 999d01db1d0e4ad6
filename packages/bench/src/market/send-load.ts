import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cpuMsOf } from '../processes/processes.ts'
import type { Load, Metrics } from './load.ts'

/**
 * Sends the load from a process of its own, so that the generator does not share an event loop with a server, and
 * returns the CPU time a request of the serving processes, µs, all threads.
 */
export async function sendLoad(load: Load, answering: number[]): Promise<Metrics & { cpuUs: number }> {
  const program = join(import.meta.dirname, 'load.ts')
  const before = cpuMsOf(answering)
  const { stdout } = await promisify(execFile)(process.execPath, [program, JSON.stringify(load)])
  const metrics: Metrics = JSON.parse(stdout)
  return { ...metrics, cpuUs: ((cpuMsOf(answering) - before) * 1_000) / metrics.requests }
}
