import { setTimeout as sleep } from 'node:timers/promises'
import type { Nft } from '@nifty/api/catalog/public'
import { type ApiClient, pay } from '@nifty/testkit/api-client'
import { startBid } from '@nifty/testkit/auctions'
import type { RunFile } from '@nifty/testkit/run-file'

const EVERY_MS = 1_000
const POLL_MS = 20
/** Another bid begins meanwhile only when this one is decided. */
const DECIDED_WITHIN_MS = 10_000

/** Two bidders in turn take the lead of one auction from each other, with the least that is enough. */
export function createBidding(run: RunFile, work: Nft, bidders: [ApiClient, ApiClient]) {
  let count = 0

  /** Returns how long it took from the held card until the page of the work has the new price, ms. */
  async function bid(): Promise<number> {
    const client = bidders[count++ % 2]!
    const before = (await client.item(work)).auction!
    const { url } = await startBid({ client, work, limit: Math.ceil(before.minimum) })
    await pay(run, url, run.cards.approved)
    const heldAt = performance.now()
    for (;;) {
      const { price } = (await client.item(work)).auction!
      const ms = performance.now() - heldAt
      if (price !== before.price) return ms
      if (ms > DECIDED_WITHIN_MS) throw new Error(`a bid did not stand within ${DECIDED_WITHIN_MS} ms`)
      await sleep(POLL_MS)
    }
  }

  /** A bid a second until `stop`, which resolves with their number. Throws if one was refused. */
  function bidSteadily() {
    let [isOver, bids] = [false, 0]
    const running = (async () => {
      const began = performance.now()
      while (!isOver) {
        await bid()
        bids++
        await sleep(Math.max(0, began + bids * EVERY_MS - performance.now()))
      }
    })()
    running.catch(() => {})
    return {
      stop: async () => {
        isOver = true
        await running
        return bids
      },
    }
  }
  return { bid, bidSteadily }
}
