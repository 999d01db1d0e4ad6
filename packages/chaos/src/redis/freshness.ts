import { setTimeout as sleep } from 'node:timers/promises'
import type { Nft } from '@nifty/api/catalog/public'
import type { Visitor } from '@nifty/testkit/visitor'

const READERS = 4
const READ_EVERY_MS = 20
const CHANGE_EVERY_MS = 400
const FIRST_CENTS = 1_000

type Change = { cents: number; answeredAt: number }

/**
 * A seller raises the price of a work by a cent again and again, and readers look at the market: `reads` tells how long
 * each took, and how long before it was asked the price that it should have shown had been answered for (0: it showed it).
 */
export function watchPrices({ seller, reader, work }: { seller: Visitor; reader: Visitor; work: Nft }) {
  const changes: Change[] = []
  let reads: { ms: number; staleMs: number }[] = []
  let over = false

  async function change() {
    const cents = FIRST_CENTS + changes.length
    const path = `/api/nfts/${work.contract}/${work.identifier}/set-price`
    const { status } = await seller.call('PUT', path, { price: cents / 100, forSale: true })
    if (status === 200) changes.push({ cents, answeredAt: performance.now() })
  }

  async function read() {
    const askedAt = performance.now()
    const works = await reader.market()
    const ms = performance.now() - askedAt
    const seen = Math.round((works.find(({ _id }) => _id === work._id)?.price ?? 0) * 100)
    const missed = changes.find(({ cents, answeredAt }) => cents > seen && answeredAt < askedAt)
    if (changes.length > 0) reads.push({ ms, staleMs: missed ? askedAt - missed.answeredAt : 0 })
  }

  const repeat = async (what: () => Promise<void>, everyMs: number) => {
    while (!over) {
      // A request that fails is counted where all requests are.
      await what().catch(() => {})
      await sleep(everyMs)
    }
  }
  const running = [
    repeat(change, CHANGE_EVERY_MS),
    ...Array.from({ length: READERS }, () => repeat(read, READ_EVERY_MS)),
  ]
  return {
    changes: () => changes.length,
    /** The reads since the last call. */
    take: () => {
      const taken = reads
      reads = []
      return taken
    },
    stop: async () => {
      over = true
      await Promise.all(running)
    },
  }
}
