import { setTimeout as sleep } from 'node:timers/promises'
import { getMarket, getNft, type Nft, setPrice } from '@nifty/api/catalog/public'
import { endpointUrl } from '@nifty/api/endpoint'
import type { ApiClient } from './api-client.ts'

const READERS = 4
const READ_EVERY_MS = 20
const CHANGE_EVERY_MS = 400
const FIRST_CENTS = 1_000

type Change = { cents: number; confirmedAt: number }

/**
 * A seller raises the price of a work by a cent at intervals and reads it at once, while visitors read the market and
 * the page of the work. `take` returns for each read of a visitor its duration and its staleness in ms: how long before
 * the request the missed price had been confirmed (0: not stale). `missed` counts the changes that the seller did not
 * read.
 */
export function watchPrices({ seller, reader, work }: { seller: ApiClient; reader: ApiClient; work: Nft }) {
  const { contract, identifier } = work
  const list = endpointUrl(getMarket, { query: { page: '1', limit: '200' } })
  const page = endpointUrl(getNft, { params: { username: '@anyone', contract, identifier } })
  const changes: Change[] = []
  let reads: { ms: number; staleMs: number }[] = []
  let missed = 0
  let over = false
  let place = 0

  async function change() {
    const cents = FIRST_CENTS + changes.length
    const body = { price: cents / 100, forSale: true }
    const { status } = await seller.send(setPrice, { params: { contract, identifier }, body })
    if (status !== 200) return
    changes.push({ cents, confirmedAt: performance.now() })
    const own = [await seller.item(work), (await seller.market()).find(({ _id }) => _id === work._id)]
    if (own.some((read) => centsOf(read) !== cents)) missed++
  }

  async function read() {
    const requestedAt = performance.now()
    // Not by `send`, which reads the latest state of cached endpoints.
    const { status, body } = await reader.call('GET', [list, page][place++ % 2]!)
    if (status !== 200) return
    const ms = performance.now() - requestedAt
    const seen = centsOf(body.nfts ? body.nfts.find(({ _id }: Nft) => _id === work._id) : body)
    const unseen = changes.find(({ cents, confirmedAt }) => cents > seen && confirmedAt < requestedAt)
    if (changes.length > 0) reads.push({ ms, staleMs: unseen ? requestedAt - unseen.confirmedAt : 0 })
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
    missed: () => missed,
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

const centsOf = (work: Pick<Nft, 'price'> | undefined) => Math.round((work?.price ?? 0) * 100)
