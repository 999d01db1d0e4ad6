import { readdirSync, readFileSync } from 'node:fs'

/** What a process has used since it started. */
export type ProcessUsage = { cpuMs: number; wakeUps: number }

const NS_PER_MS = 1_000_000

/** What each thread of a process had used when it was read last, also of threads that have ended since. */
const threadsOf = new Map<number, Map<string, ProcessUsage>>()

/**
 * CPU time of all threads by the scheduler's statistics, and how often one of them was woken: each voluntary context
 * switch is a wait that ended. A thread that has ended counts as at the last reading; zero for a process that was never
 * seen.
 */
export function readProcess(pid: number): ProcessUsage {
  const threads = threadsOf.get(pid) ?? new Map<string, ProcessUsage>()
  threadsOf.set(pid, threads)
  for (const task of tasksOf(pid)) {
    const folder = `/proc/${pid}/task/${task}`
    const schedstat = readOrEmpty(`${folder}/schedstat`)
    const status = readOrEmpty(`${folder}/status`)
    if (schedstat === '' || status === '') continue
    threads.set(task, {
      cpuMs: Number(schedstat.split(' ', 1)[0]) / NS_PER_MS,
      wakeUps: Number(status.match(/^voluntary_ctxt_switches:\s+(\d+)/m)?.[1] ?? 0),
    })
  }
  const usage = { cpuMs: 0, wakeUps: 0 }
  for (const thread of threads.values()) {
    usage.cpuMs += thread.cpuMs
    usage.wakeUps += thread.wakeUps
  }
  return usage
}

/** CPU time of several processes together, ms. */
export const cpuMsOf = (pids: number[]) => pids.reduce((sum, pid) => sum + readProcess(pid).cpuMs, 0)

/** Throws without the scheduler's statistics: CPU times would be zero and meet every target. */
export function requireStatistics() {
  if (readProcess(process.pid).cpuMs === 0)
    throw new Error('The benchmarks need Linux: /proc/PID/task/TID/schedstat is missing or empty')
}

/** Resident memory, MB. Throws for a process that is gone. */
export function residentMb(pid: number): number {
  const kb = readOrEmpty(`/proc/${pid}/status`).match(/^VmRSS:\s+(\d+)/m)?.[1]
  if (!kb) throw new Error(`process ${pid} has ended`)
  return Number(kb) / 1024
}

function tasksOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

/** A thread may end between the listing and the reading. */
function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

export const childrenOf = (pid: number): number[] =>
  readOrEmpty(`/proc/${pid}/task/${pid}/children`).trim().split(/\s+/).filter(Boolean).map(Number)

const TICK_MS = 10

/** CPU time of children of a process that have ended, ms, in steps of 10 each. */
export function endedChildrenCpuMs(pid: number): number {
  const fields = readOrEmpty(`/proc/${pid}/stat`).split(') ')[1]?.split(' ') ?? []
  return fields.slice(13, 15).reduce((sum, ticks) => sum + Number(ticks) * TICK_MS, 0)
}
