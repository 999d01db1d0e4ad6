import { setTimeout as sleep } from 'node:timers/promises'
import type { Nft } from '@nifty/api/catalog/public'
import type { ApiClient } from '@nifty/testkit/api-client'
import { violations as violationsOf } from '@nifty/testkit/invariants'
import { purchase, type Sale } from '@nifty/testkit/purchase'
import type { Auctioneer, Shop } from './shop.ts'

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
    owners = new Map(),
    auctioneers = new Map(),
  }: {
    everyMs: number
    atOnce: number
    mayBegin?: (place: number) => boolean
    isOver?: () => boolean
    /** By id of the work: those that are sold by an offer, see `takeOffersFor`. */
    owners?: Map<string, ApiClient>
    /** By id of the work: those that are sold by an auction, see `auctioneersOf`. */
    auctioneers?: Map<string, Auctioneer>
  },
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
    const buyerAt = (index: number) => shop.buyers[index % shop.buyers.length]!
    const sellerAt = auctioneers.get(work._id)
    const auctioned = sellerAt && { ...sellerAt, rival: buyerAt(place + 1).client }
    const options = { timeoutMs: TIMEOUT_MS, offeredTo: owners.get(work._id), auctioned }
    const { sale, refused } = purchase(shop.run, buyerAt(place), work, options)
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
