import { setTimeout as sleep } from 'node:timers/promises'
import { declineOffer, listReceivedOffers } from '@nifty/api/catalog/offers'
import type { Nft } from '@nifty/api/catalog/public'
import { type ApiClient, pay } from '@nifty/testkit/api-client'
import { startOffer } from '@nifty/testkit/offers'
import type { RunFile } from '@nifty/testkit/run-file'

const EVERY_MS = 1_000
const POLL_MS = 50
/** Offers for further works are begun meanwhile. */
const DECIDED_WITHIN_MS = 10_000

/**
 * Makes an offer a second, for one work after the other, each of which is paid and declined: a work may have one of a
 * buyer at a time. `stop` resolves with the number of offers once all are decided. Throws if one was refused.
 */
export function makeOffers({ run, buyer, owner }: { run: RunFile; buyer: ApiClient; owner: ApiClient }, works: Nft[]) {
  let stopped = false
  const offers: Promise<void>[] = []

  async function offer(work: Nft) {
    const { orderId, url } = await startOffer({ client: buyer, work, price: work.price! })
    await pay(run, url, run.cards.approved)
    const until = performance.now() + DECIDED_WITHIN_MS
    for (;;) {
      const { body } = await owner.send(listReceivedOffers)
      if (body.offers.some((each) => each.orderId === orderId)) break
      if (performance.now() > until) throw new Error(`an offer was not received within ${DECIDED_WITHIN_MS} ms`)
      await sleep(POLL_MS)
    }
    const { status } = await owner.send(declineOffer, { params: { orderId } })
    if (status !== 200) throw new Error(`an offer was not declined: ${status}`)
  }
  const running = (async () => {
    const began = performance.now()
    while (!stopped) {
      const offering = offer(works[offers.length % works.length]!)
      offering.catch(() => {})
      offers.push(offering)
      await sleep(Math.max(0, began + offers.length * EVERY_MS - performance.now()))
    }
    await Promise.all(offers)
  })()
  running.catch(() => {})
  return {
    stop: async () => {
      stopped = true
      await running
      return offers.length
    },
  }
}
