import { setTimeout as sleep } from 'node:timers/promises'
import type { Nft } from '@nifty/api/catalog/public'
import { violations as violationsOf } from '@nifty/testkit/invariants'
import { purchase, type Sale } from '@nifty/testkit/purchase'
import type { Shop } from './shop.ts'

/** Longer than a fault of two minutes and the backlog that follows it on a busy machine. */
const TIMEOUT_MS = 900_000

/**
 * Sells these works to the buyers in turn. A purchase starts every `everyMs`, independent of the others (open load),
 * while fewer than `atOnce` are open and `mayBegin` allows it, until all are sold or `isOver`.
 */
export function sell(
  shop: Pick<Shop, 'run' | 'chain' | 'buyers'>,
  works: Nft[],
  {
    everyMs,
    atOnce,
    mayBegin = () => true,
    isOver = () => false,
  }: { everyMs: number; atOnce: number; mayBegin?: (place: number) => boolean; isOver?: () => boolean },
) {
  const sales: Sale[] = []
  const seconds: number[] = []
  const refusals: string[] = []
  const violations: string[] = []
  let begun = 0
  let open = 0

  async function buy(work: Nft, place: number) {
    open++
    const startedAt = performance.now()
    const { sale, refused } = purchase(shop.run, shop.buyers[place % shop.buyers.length]!, work, TIMEOUT_MS)
    await sale
      .then((sold) => sales.push(sold))
      .catch((error: Error) => violations.push(error.message))
      .finally(() => open--)
    seconds.push((performance.now() - startedAt) / 1_000)
    refusals.push(...refused)
  }

  const running = (async () => {
    const all: Promise<void>[] = []
    for (const [place, work] of works.entries()) {
      while (!isOver() && (open >= atOnce || !mayBegin(place))) await sleep(20)
      if (isOver()) break
      begun++
      all.push(buy(work, place))
      await sleep(everyMs)
    }
    await Promise.all(all)
  })()

  return {
    begun: () => begun,
    completed: () => sales.length,
    open: () => open,
    /** Resolves when no purchase is open any more. */
    done: running,
    sales: (): readonly Sale[] => sales,
    failures: (): readonly string[] => violations,
    /** How long each purchase took, from the first request to the completed order. */
    seconds: (): readonly number[] => seconds,
    /** Status and code of each refusal to begin a purchase, which is repeated then. */
    refusals: (): readonly string[] => refusals,
    /** Failed purchases and broken invariants, once all purchases are done. */
    violations: async (): Promise<string[]> => {
      await running
      return [...violations, ...(await violationsOf(shop.run, shop.chain, sales))]
    },
  }
}
