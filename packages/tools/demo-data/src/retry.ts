import { setTimeout as sleep } from 'node:timers/promises'

const PAUSE_MS = 100
const GIVE_UP_AFTER_MS = 120_000

/**
 * Repeats a call while the response is one of these statuses, for at most two minutes: every call of the seeding may be
 * repeated. A busy service is a 503, whether it or the one that it calls responds too late.
 */
export async function retryOn<Result>(
  statuses: number[],
  call: () => Promise<Result>,
  { isStopped = () => false }: { isStopped?: () => boolean } = {},
): Promise<Result> {
  const until = performance.now() + GIVE_UP_AFTER_MS
  for (;;) {
    try {
      return await call()
    } catch (error) {
      const { statusCode } = error as { statusCode?: number }
      if (isStopped() || !statuses.includes(statusCode ?? 0) || performance.now() > until) throw error
      await sleep(PAUSE_MS)
    }
  }
}
