/** Runs an action while processes take part in nothing: SIGSTOP before it, SIGCONT after it. */
export async function whileStopped<Result>(pids: number[], action: () => Promise<Result>): Promise<Result> {
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  try {
    return await action()
  } finally {
    for (const pid of pids) process.kill(pid, 'SIGCONT')
  }
}
