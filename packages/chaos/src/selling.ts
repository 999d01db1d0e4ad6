import { setTimeout as sleep } from 'node:timers/promises'
import type { Nft } from '@nifty/api/catalog/public'
import { contradictions } from '@nifty/testkit/invariants'
import { purchase, type Sale } from '@nifty/testkit/purchase'
import type { Shop } from './shop.ts'

/** Nobody gives up for a fault that lasts two minutes, nor while a busy machine makes up for it. */
const PATIENCE_MS = 900_000

/**
 * Sells these works to the buyers in turn. A new purchase begins every so often, however the others go (an open load:
 * a store that stands still is not spared), but never more than `atOnce` are under way, and none before it may.
 */
export function sell(
  shop: Shop,
  works: Nft[],
  {
    everyMs,
    atOnce,
    mayBegin = () => true,
  }: { everyMs: number; atOnce: number; mayBegin?: (place: number) => boolean },
) {
  const done: Sale[] = []
  const faults: string[] = []
  let begun = 0
  let open = 0

  async function buy(work: Nft, place: number) {
    open++
    await purchase(shop.run, shop.buyers[place % shop.buyers.length]!, work, PATIENCE_MS)
      .sale.then((sale) => done.push(sale))
      .catch((error: Error) => faults.push(error.message))
      .finally(() => open--)
  }

  const running = (async () => {
    const all: Promise<void>[] = []
    for (const [place, work] of works.entries()) {
      while (open >= atOnce || !mayBegin(place)) await sleep(20)
      begun++
      all.push(buy(work, place))
      await sleep(everyMs)
    }
    await Promise.all(all)
  })()

  return {
    begun: () => begun,
    completed: () => done.length,
    open: () => open,
    /** Resolves when nothing is under way any more. */
    over: running,
    /** What went wrong, by the buyers' and the witnesses' words. */
    judge: async (): Promise<string[]> => {
      await running
      return [...faults, ...(await contradictions(shop.run, shop.chain, done))]
    },
  }
}

export type Selling = ReturnType<typeof sell>
