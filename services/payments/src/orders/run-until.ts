import { setTimeout as wait } from 'node:timers/promises'
import { linesOf } from './line.store.ts'
import { alreadyBuying, isLocked, pageClosed, paymentsUnavailable } from './order.errors.ts'
import { findOrder } from './order.store.ts'
import { type Advanced, type Advancing, advance } from './run-step.ts'

const ANSWER_WITHIN_MS = 9_000
const LOOK_AGAIN_MS = 100

export type Drive = ReturnType<typeof createDrive>

/**
 * Takes orders on for people who wait for an answer. Requests for the same order share one drive, so that a buyer who
 * clicks twenty times occupies one connection.
 */
export function createDrive(deps: Advancing) {
  const underWay = new Map<string, Promise<unknown>>()

  async function once<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const running = underWay.get(key) ?? work().finally(() => underWay.delete(key))
    underWay.set(key, running)
    return running as Promise<Result>
  }

  /** Steps until `isEnough`, or until the time that a person waits is over. */
  async function step(orderId: string, isEnough: (advanced: Advanced) => boolean) {
    const until = performance.now() + ANSWER_WITHIN_MS
    while (performance.now() < until) {
      const advanced = await advance(deps, orderId).catch((error) => {
        if (isLocked(error)) return null
        throw error
      })
      if (advanced && isEnough(advanced)) return advanced
      if (!advanced) await wait(LOOK_AGAIN_MS)
    }
    return null
  }

  /** Somebody comes back to a page: it may have been paid or have closed since anybody looked. */
  async function stillOpen(orderId: string, url: string) {
    await advance(deps, orderId).catch((error) => deps.log.debug({ err: error, orderId }, 'page not looked at'))
    const lines = await linesOf(deps.desk, orderId)
    if (lines.every(({ state }) => state === 'awaiting_payment')) return url
    throw lines.every(({ state }) => state === 'released') ? pageClosed() : alreadyBuying(orderId)
  }

  return {
    /** The processor's page of an order. Throws what the buyer is told when there will be none, or none now. */
    toUrl: (orderId: string): Promise<string> =>
      once(`url ${orderId}`, async () => {
        const known = await findOrder(deps.desk, orderId)
        if (known?.sessionUrl) return stillOpen(orderId, known.sessionUrl)
        const last = await step(orderId, ({ pauseMs }) => pauseMs !== 0).catch((error) => {
          deps.log.warn({ err: error, orderId }, 'purchase could not be started')
          throw paymentsUnavailable()
        })
        if (last?.refusal) throw last.refusal
        const order = await findOrder(deps.desk, orderId)
        if (!order?.sessionUrl || order.stop) throw paymentsUnavailable()
        return order.sessionUrl
      }),

    /** As far as it goes at once after a wish to end it. What does not answer now is asked again by the worker. */
    toEnd: (orderId: string): Promise<void> =>
      once(`end ${orderId}`, async () => {
        await step(orderId, ({ pauseMs }) => pauseMs !== 0).catch((error) => {
          deps.log.warn({ err: error, orderId }, 'order could not be ended at once')
        })
      }),
  }
}
