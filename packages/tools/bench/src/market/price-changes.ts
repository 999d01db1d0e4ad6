import { setTimeout as sleep } from 'node:timers/promises'
import { type Market, type Nft, setPrice } from '@nifty/api/catalog/public'
import type { ApiClient } from '@nifty/testkit/api-client'
import { createHistory } from './price-history.ts'

const PER_SECOND = 20
const READ_EVERY_MS = 100
const FIRST_CENTS = 20_000

type Token = Pick<Nft, '_id' | 'contract' | 'identifier'>

/**
 * Prices that rise by a cent: with one sequence for all rounds of a run each occurs once, so that a response shows its
 * age.
 */
export function risingPrices(): () => number {
  let next = FIRST_CENTS
  return () => next++
}

/**
 * Changes prices 20 times a second, of one item after the other, and reads the market without a token meanwhile. `stop`
 * returns how old the oldest price in a response was: ms between the response to the next change of it and the
 * request whose response still had it, so never more than the true age. Throws if a change was refused or no response
 * had a changed price.
 */
export function changePrices(
  { seller, readMarket, nextCents }: { seller: ApiClient; readMarket: () => Promise<Market>; nextCents: () => number },
  tokens: Token[],
) {
  const history = createHistory()
  const inFlight = new Map<string, Promise<void>>()
  let [stopped, changes] = [false, 0]

  async function change({ _id, contract, identifier }: Token, cents: number) {
    history.requested(_id, cents)
    const body = { price: cents / 100, forSale: true }
    const { status } = await seller.send(setPrice, { params: { contract, identifier }, body })
    if (status !== 200) throw new Error(`a price was not set: ${status}`)
    history.committed(_id, cents, performance.now())
  }
  async function changeAll() {
    const began = performance.now()
    while (!stopped) {
      const token = tokens[changes++ % tokens.length]!
      // The changes of one item are in order.
      await inFlight.get(token._id)
      const changing = change(token, nextCents())
      changing.catch(() => {})
      inFlight.set(token._id, changing)
      await sleep(Math.max(0, began + (changes * 1_000) / PER_SECOND - performance.now()))
    }
    await Promise.all(inFlight.values())
  }
  async function read() {
    while (!stopped) {
      const sentAt = performance.now()
      const { nfts } = await readMarket()
      for (const { _id, price } of nfts) if (price !== null) history.shown(_id, Math.round(price * 100), sentAt)
      await sleep(READ_EVERY_MS)
    }
  }
  const began = performance.now()
  const running = Promise.all([changeAll(), read()])
  running.catch(() => {})
  return {
    stop: async () => {
      stopped = true
      await running
      if (history.compared() === 0) throw new Error('no response of the market had a changed price')
      return { oldestMs: history.oldestMs(), changesPerSecond: (changes * 1_000) / (performance.now() - began) }
    },
  }
}
