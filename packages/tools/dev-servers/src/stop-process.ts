import type { ChildProcess } from 'node:child_process'

const STOP_WITHIN_MS = 10_000

/** Sends the signal, and SIGKILL to a child that has not exited by then. Resolves when it has exited. */
export async function stopProcess(
  child: ChildProcess,
  { signal = 'SIGTERM', withinMs = STOP_WITHIN_MS }: { signal?: NodeJS.Signals; withinMs?: number } = {},
) {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill(signal)
  const late = setTimeout(() => child.kill('SIGKILL'), withinMs)
  await exited
  clearTimeout(late)
}
