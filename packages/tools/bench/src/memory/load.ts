import { setTimeout as sleep } from 'node:timers/promises'
import { getMarket, getNft, type Nft } from '@nifty/api/catalog/public'
import { type ApiClient, accountsOf, createApiClient, logIn, pay, untilOrder } from '@nifty/testkit/api-client'
import type { RunFile } from '@nifty/testkit/run-file'

/** Readers page and search without a pause between two requests of each. */
const READERS = 4
const LOG_IN_EVERY_MS = 2_000
const BUY_EVERY_MS = 5_000
const PAGES = 5
const WORDS = ['light', 'harbour', 'blue', 'night', 'zzz', 'ärt', 'a', 'sea field']

export type Load = { requests: () => number; purchases: () => number; stop: () => Promise<void> }

/**
 * Loads a store until `stop`: lists, searches and items that differ from each other, log-ins, and purchases up to the
 * mail.
 */
export async function startLoad(run: RunFile): Promise<Load> {
  let [isRunning, requests, purchases] = [true, 0, 0]
  const anyone = createApiClient(run)
  const works = await anyone.market()

  async function read(reader: number) {
    for (let count = reader; isRunning; count += READERS) {
      const { status } = await (count % 2 === 0
        ? anyone.send(getMarket, { query: questionOf(count) })
        : anyone.send(getNft, { params: { username: '@anyone', ...works[count % works.length]! } }))
      if (status !== 200) throw new Error(`a request of the load was answered with ${status}`)
      requests++
    }
  }
  async function everyMs(ms: number, action: (count: number) => Promise<unknown>) {
    for (let count = 0; isRunning; count++) {
      await action(count)
      await sleep(ms)
    }
  }
  const accounts = accountsOf(run, 'collector')
  const account = (count: number) => accounts[count % accounts.length]!
  const running = Promise.all([
    ...Array.from({ length: READERS }, (_, reader) => read(reader)),
    everyMs(LOG_IN_EVERY_MS, (count) => logIn(run, account(count))),
    everyMs(BUY_EVERY_MS, async (count) => {
      if (await buyAny(run, await logIn(run, account(count)))) purchases++
    }),
  ])
  // It is reported by `stop`.
  running.catch(() => {})
  return {
    requests: () => requests,
    purchases: () => purchases,
    stop: async () => {
      isRunning = false
      await running
      if (purchases === 0) throw new Error('the load bought nothing')
    },
  }
}

const questionOf = (count: number) => ({
  page: String((count % PAGES) + 1),
  limit: count % 3 === 0 ? '200' : '24',
  ...(count % 5 === 0 ? { search: WORDS[count % WORDS.length]! } : {}),
  ...(count % 7 === 0 ? { buyOption: 'now' } : {}),
})

/** Buys a work that is for sale, also one that was bought before; false when there is none. */
async function buyAny(run: RunFile, buyer: ApiClient): Promise<boolean> {
  const work = (await buyer.market()).find(({ forSale, reserved }: Nft) => forSale && !reserved)
  if (!work) return false
  const { body } = await buyer.buy(work)
  if (!body.success) return false
  await pay(run, body.url, run.cards.approved)
  await untilOrder(buyer, body.orderId, 'completed')
  return true
}
