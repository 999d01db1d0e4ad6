import { setTimeout as wait } from 'node:timers/promises'
import type { Order } from '../db.ts'
import { isRepeatable } from '../locks/lock.errors.ts'
import { linesOf } from './line.store.ts'
import { isUndecided } from './line.ts'
import { alreadyBuying, bidPlacedAlready, offerExists, pageClosed, paymentsUnavailable } from './order.errors.ts'
import { findOrder } from './order.store.ts'
import { runStep, type StepDeps, type StepRun } from './run-step.ts'

/** Longest time that a request waits for the steps of an order. */
const TIMEOUT_MS = 9_000
const LOCK_RETRY_MS = 100
/**
 * How long the next step is left to the request, longer than `TIMEOUT_MS`; after that a worker runs it, also after the
 * end of the process.
 */
const KEEP_MS = 10_000

export type OrderRunner = ReturnType<typeof createOrderRunner>

/**
 * Runs the steps of an order inside a request. Concurrent requests for the same order share one run, so that repeated
 * clicks occupy one connection.
 */
export function createOrderRunner(deps: StepDeps) {
  const running = new Map<string, Promise<unknown>>()

  async function once<Result>(key: string, run: () => Promise<Result>): Promise<Result> {
    const current = running.get(key) ?? run().finally(() => running.delete(key))
    running.set(key, current)
    return current as Promise<Result>
  }

  /**
   * Runs steps until `isEnough` returns true, at most for `TIMEOUT_MS`; then null. Waits while another run has the
   * lock.
   */
  async function runUntil(orderId: string, isEnough: (run: StepRun) => boolean) {
    const until = performance.now() + TIMEOUT_MS
    while (performance.now() < until) {
      const run = await runStep(deps, orderId, { keepMs: KEEP_MS }).catch((error) => {
        if (isRepeatable(error)) return null
        throw error
      })
      if (run && isEnough(run)) return run
      if (!run) await wait(LOCK_RETRY_MS)
    }
    return null
  }

  /** The URL of an existing session after polling it once: it may have been paid or have expired meanwhile. */
  async function reopen(orderId: string, url: string) {
    await runStep(deps, orderId).catch((error) =>
      deps.log.debug({ err: error, orderId }, 'orders: session not polled, using its stored state'),
    )
    const lines = await linesOf(deps.longPool, orderId)
    if (lines.every(({ state }) => state === 'awaiting_payment')) return url
    if (lines.every(({ state }) => state === 'released')) throw pageClosed()
    if (!lines.some(isUndecided)) throw alreadyBuying(orderId)
    const order = await findOrder(deps.longPool, orderId)
    throw order?.orderKind === 'bid' ? bidPlacedAlready(orderId) : offerExists(orderId)
  }

  return {
    /**
     * Returns the URL of the processor's page for an order as it was placed. Throws the error for the buyer when there
     * is none.
     */
    untilUrl: ({ id: orderId, sessionUrl }: Pick<Order, 'id' | 'sessionUrl'>): Promise<string> =>
      once(`url ${orderId}`, async () => {
        if (sessionUrl) return reopen(orderId, sessionUrl)
        const last = await runUntil(orderId, ({ nextRunInMs }) => nextRunInMs !== 0).catch((error) => {
          deps.log.warn({ err: error, orderId }, 'orders: purchase failed to start, the worker continues it')
          throw paymentsUnavailable()
        })
        if (last?.refusal) throw last.refusal
        if (last?.url) return last.url
        const order = await findOrder(deps.longPool, orderId)
        if (order?.cancelRequestedBy) throw pageClosed()
        if (!order?.sessionUrl) throw paymentsUnavailable()
        return order.sessionUrl
      }),

    /** Runs all steps that need no waiting, after a cancellation request. Never throws: the worker retries failures. */
    untilIdle: (orderId: string): Promise<void> =>
      once(`idle ${orderId}`, async () => {
        await runUntil(orderId, ({ nextRunInMs }) => nextRunInMs !== 0).catch((error) => {
          deps.log.warn({ err: error, orderId }, 'orders: cancellation failed at first, the worker retries it')
        })
      }),
  }
}
