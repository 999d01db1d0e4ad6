/** The sandbox's time: real time plus what tests have added. Milliseconds, or whole seconds for the API. */
export type Clock = {
  nowMs: () => number
  seconds: () => number
  advance: (ms: number) => void
}

export function createClock(): Clock {
  let offsetMs = 0
  const nowMs = () => Date.now() + offsetMs
  return {
    nowMs,
    seconds: () => Math.floor(nowMs() / 1000),
    advance: (ms) => {
      offsetMs += ms
    },
  }
}
