import { setTimeout as pause } from 'node:timers/promises'

/** Asks again and again until there is an answer; gives up after `patience` ms. */
export async function until<Answer>(
  ask: () => Promise<Answer | undefined | false>,
  { patience = 90_000, every = 300 } = {},
): Promise<Answer> {
  const last = Date.now() + patience
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    if (Date.now() > last) throw new Error(`still waiting after ${patience} ms`)
    await pause(every)
  }
}
