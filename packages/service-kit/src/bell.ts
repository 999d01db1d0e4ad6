/** Wakes whoever waits. Rung while nobody waits, it wakes the next one at once, so that no call is missed. */
export function createWakeSignal() {
  let rung = false
  let wake = () => {}
  return {
    ring: () => {
      rung = true
      wake()
    },
    /** Resolves at the next ring, or after `patience` ms. */
    wait: (patience: number) =>
      new Promise<void>((resolve) => {
        const finish = () => {
          clearTimeout(timer)
          rung = false
          wake = () => {}
          resolve()
        }
        const timer = setTimeout(finish, patience)
        wake = finish
        if (rung) finish()
      }),
  }
}
