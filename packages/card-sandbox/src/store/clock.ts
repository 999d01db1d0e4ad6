/** The processor's time: real time and what tests have added to it. Milliseconds, or whole seconds for the API. */
export type Clock = {
  nowMs: () => number
  seconds: () => number
  advance: (ms: number) => void
}

export function createClock(): Clock {
  let aheadMs = 0
  const nowMs = () => Date.now() + aheadMs
  return {
    nowMs,
    seconds: () => Math.floor(nowMs() / 1000),
    advance: (ms) => {
      aheadMs += ms
    },
  }
}
