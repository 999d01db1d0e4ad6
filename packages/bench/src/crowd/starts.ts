import { setTimeout as sleep } from 'node:timers/promises'
import type { Nft } from '@nifty/api/catalog/public'
import type { RunFile } from '@nifty/local/run-file'
import { type ApiClient, pay } from '@nifty/testkit/api-client'

export type Paid = { orderId: string; at: number }

/**
 * Purchases that arrive evenly within `withinMs`, whether earlier ones have been answered or not. Each is paid as soon as its
 * payment page exists; `at` is that moment (`Date.now()`).
 */
export async function arrive(
  run: RunFile,
  { buyers, works, withinMs }: { buyers: ApiClient[]; works: Nft[]; withinMs: number },
) {
  const paid: Paid[] = []
  let [serverErrors, lastAt] = [0, 0]
  const began = performance.now()
  async function buy(work: Nft, place: number) {
    await sleep((withinMs * place) / works.length)
    const { status, body } = await buyers[place % buyers.length]!.buy(work)
    lastAt = performance.now()
    if (status >= 500) serverErrors++
    else if (!body.success) throw new Error(`a purchase was refused: ${status} ${body.code}`)
    if (!body.success) return
    const payment = await pay(run, body.url, run.cards.approved)
    if (payment.body.status === 'authorised') paid.push({ orderId: body.orderId, at: Date.now() })
  }
  await Promise.all(works.map(buy))
  return { paid, serverErrors, perSecond: (paid.length * 1_000) / (lastAt - began) }
}

export type Started = { orderId: string; url: string }

/** Starts one purchase of each work, `atOnce` at the same time, and pays none. Throws when one is not answered with 200. */
export async function startAtOnce(buyers: ApiClient[], works: Nft[], atOnce: number) {
  const waiting = [...works.entries()]
  const started: Started[] = []
  const began = performance.now()
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [place, work] = next
      const { status, body } = await buyers[place % buyers.length]!.buy(work)
      if (!body.success) throw new Error(`a purchase was refused: ${status} ${body.code}`)
      started.push({ orderId: body.orderId, url: body.url })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return { started, perSecond: (works.length * 1_000) / (performance.now() - began) }
}
