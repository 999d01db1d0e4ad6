import { readFileSync } from 'node:fs'

/** Whether a process runs. One that has ended and waits for its parent to read the exit code does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  try {
    return !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    // Without /proc, or it has ended meanwhile.
    return process.platform !== 'linux'
  }
}
