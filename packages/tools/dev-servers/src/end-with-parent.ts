import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'

/**
 * Ends a child with this process, also after a SIGKILL of this process: a shell waits for the end of its input, a pipe
 * that this process alone keeps open. `group`: with its own children, for a child that leads a process group. Without
 * `/bin/sh` (Windows) the child survives a SIGKILL.
 */
export function endWithParent(child: ChildProcess, signal: 'SIGTERM' | 'SIGINT' | 'SIGQUIT', { group = false } = {}) {
  if (child.pid === undefined) return
  const command = `read -r _; kill -s ${signal.replace('SIG', '')} -- ${group ? '-' : ''}${child.pid}`
  // A process group of its own: Ctrl-C in a terminal would end it.
  const watcher = spawn('/bin/sh', ['-c', command], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  watcher.on('error', () => {}).unref()
  const input = watcher.stdin as Socket
  input.on('error', () => {}).unref()
  child.once('exit', () => watcher.kill('SIGKILL'))
}
