import { setTimeout as sleep } from 'node:timers/promises'
import { type Nft, setPrice } from '@nifty/api/catalog/public'
import type { ApiClient } from '@nifty/testkit/api-client'

const READERS = 4
const READ_EVERY_MS = 20
const CHANGE_EVERY_MS = 400
const FIRST_CENTS = 1_000

type Change = { cents: number; confirmedAt: number }

/**
 * A seller raises the price of a work by a cent at intervals while clients read the market. `take` returns for each read
 * its duration and its staleness in ms: how long before the request the missed price had been confirmed (0: not stale).
 */
export function watchPrices({ seller, reader, work }: { seller: ApiClient; reader: ApiClient; work: Nft }) {
  const changes: Change[] = []
  let reads: { ms: number; staleMs: number }[] = []
  let over = false

  async function change() {
    const cents = FIRST_CENTS + changes.length
    const { contract, identifier } = work
    const body = { price: cents / 100, forSale: true }
    const { status } = await seller.send(setPrice, { params: { contract, identifier }, body })
    if (status === 200) changes.push({ cents, confirmedAt: performance.now() })
  }

  async function read() {
    const requestedAt = performance.now()
    const works = await reader.market()
    const ms = performance.now() - requestedAt
    const seen = Math.round((works.find(({ _id }) => _id === work._id)?.price ?? 0) * 100)
    const missed = changes.find(({ cents, confirmedAt }) => cents > seen && confirmedAt < requestedAt)
    if (changes.length > 0) reads.push({ ms, staleMs: missed ? requestedAt - missed.confirmedAt : 0 })
  }

  const repeat = async (what: () => Promise<void>, everyMs: number) => {
    while (!over) {
      // Failed requests are counted in requests.ts.
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
