/**
 * Wakes a waiting loop. A `wake` while nothing waits is kept: the next `wait` resolves at once.
 */
export function createWakeSignal() {
  let pending = false
  let resolveWait = () => {}
  return {
    wake: () => {
      pending = true
      resolveWait()
    },
    /** Resolves at the next `wake`, or after `timeoutMs`. */
    wait: (timeoutMs: number) =>
      new Promise<void>((resolve) => {
        const finish = () => {
          clearTimeout(timer)
          pending = false
          resolveWait = () => {}
          resolve()
        }
        const timer = setTimeout(finish, timeoutMs)
        resolveWait = finish
        if (pending) finish()
      }),
  }
}
