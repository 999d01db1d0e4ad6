import { setTimeout as sleep } from 'node:timers/promises'
import type { Nft } from '@nifty/api/catalog/public'
import type { DeliverTo } from '@nifty/api/payments/public'
import { type ApiClient, pay } from '@nifty/testkit/api-client'
import type { RunFile } from '@nifty/testkit/run-file'
import { forEachAtOnce } from '../run/at-once.ts'

export type Paid = { orderId: string; at: number }

/** Every so many buyers have their card at hand and pay at once. */
const PAYS_AT_ONCE = 10
/** The others spend this time on the payment page (assumed). */
const ON_PAGE_MS = { from: 20_000, to: 120_000 }

const onPageMs = (place: number, of: number) =>
  place % PAYS_AT_ONCE === 0 ? 0 : ON_PAGE_MS.from + ((ON_PAGE_MS.to - ON_PAGE_MS.from) * place) / of

type Crowd = { buyers: ApiClient[]; works: Nft[]; withinMs: number }

/**
 * Purchases that arrive evenly within `withinMs`, whether earlier ones have a response or not. Each is paid after
 * the time on its page; `at` is that moment (`Date.now()`).
 */
export async function arrive(run: RunFile, { buyers, works, withinMs }: Crowd) {
  /** `atOnce`: while the crowd still arrives. */
  const paid: (Paid & { atOnce: boolean })[] = []
  let [started, serverErrors, lastAt] = [0, 0, 0]
  const began = performance.now()
  async function buy(work: Nft, place: number) {
    await sleep((withinMs * place) / works.length)
    const { status, body } = await buyers[place % buyers.length]!.buy(work, 'custody')
    lastAt = performance.now()
    if (status >= 500) serverErrors++
    else if (!body.success) throw new Error(`a purchase was refused: ${status} ${body.code}`)
    if (!body.success) return
    started++
    const onPage = onPageMs(place, works.length)
    await sleep(onPage)
    const at = Date.now()
    const payment = await pay(run, body.url, run.cards.approved)
    if (payment.body.status !== 'authorised') throw new Error(`a payment failed: ${JSON.stringify(payment.body)}`)
    paid.push({ orderId: body.orderId, at, atOnce: onPage === 0 })
  }
  await Promise.all(works.map(buy))
  return { paid, serverErrors, perSecond: (started * 1_000) / (lastAt - began) }
}

export type Started = { buyer: ApiClient; orderId: string; url: string }

type Batch = { buyers: ApiClient[]; works: Nft[]; atOnce: number; deliverTo: DeliverTo }

/**
 * Starts one purchase of each work, `atOnce` at the same time, and pays none. Throws when a status is not 200.
 */
export async function startAtOnce({ buyers, works, atOnce, deliverTo }: Batch) {
  const started: Started[] = []
  const began = performance.now()
  await forEachAtOnce(works, atOnce, async (work, place) => {
    const buyer = buyers[place % buyers.length]!
    const { status, body } = await buyer.buy(work, deliverTo)
    if (!body.success) throw new Error(`a purchase was refused: ${status} ${body.code}`)
    started.push({ buyer, orderId: body.orderId, url: body.url })
  })
  return { started, perSecond: (works.length * 1_000) / (performance.now() - began) }
}

/** Cancels purchases that were not paid. Throws when one is not cancelled. */
export const cancelAtOnce = (started: Started[], atOnce: number) =>
  forEachAtOnce(started, atOnce, async ({ buyer, orderId }) => {
    const { status, body } = await buyer.cancel(orderId)
    if (status !== 200) throw new Error(`order ${orderId} was not cancelled: ${status} ${body.code}`)
  })
