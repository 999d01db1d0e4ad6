import { tooMany } from '@nifty/service-kit/errors'

export type Gate = <Result>(work: () => Promise<Result>) => Promise<Result>

/** Lets `atOnce` pieces of heavy work run and `queue` wait; whoever comes then is told to come back. */
export function createGate({ atOnce, queue }: { atOnce: number; queue: number }): Gate {
  let running = 0
  const waiting: (() => void)[] = []

  return async (work) => {
    if (running >= atOnce) {
      if (waiting.length >= queue) throw tooMany(1)
      // Whoever finishes hands its place on, so `running` stays as it is.
      await new Promise<void>((enter) => waiting.push(enter))
    } else {
      running++
    }
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
