import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { endWithParent } from '@nifty/dev-servers/end-with-parent'
import { stopProcess } from '@nifty/dev-servers/stop-process'

/**
 * Starts a Node program and resolves with its first output, which means ready. Throws when the program exits before.
 */
export async function startProgram(file: string, ...args: string[]) {
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  endWithParent(child, 'SIGTERM')
  const closed = once(child, 'close')
  const first = await Promise.race([once(child.stdout, 'data'), closed.then(() => undefined)])
  if (!first) throw new Error(`${file} ended with code ${child.exitCode}`)
  return {
    output: String(first[0]).trim(),
    pid: child.pid!,
    stop: () => stopProcess(child),
  }
}
