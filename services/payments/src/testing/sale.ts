import type { Order } from '@nifty/api/payments/public'
import { deliveryFailed, deliveryFinal, deliveryStarted } from '@nifty/events/minting'
import { tokenOf } from '@nifty/events/shapes'
import { messageOf } from '@nifty/service-kit/testing/events'
import { vi } from 'vitest'
import type { Line } from '../db.ts'
import { linesOf } from '../orders/line.store.ts'
import type { Payments } from './payments.ts'
import { type Item, type TestBuyer, wallet } from './peers.ts'

/** The request body of the item page. */
export const cartOf = (...items: Item[]) => ({
  amount: items.reduce((sum, { priceCents }) => sum + priceCents, 0) / 100,
  items: items.map(({ itemId, priceCents }) => ({ _id: itemId, price: priceCents / 100 })),
})

export const start = ({ app }: Payments, buyer: TestBuyer, payload: object) =>
  app.inject({ method: 'POST', url: '/api/nfts/test', headers: buyer.headers, payload })

/** An order with an open session. */
export async function givenOpenOrder(payments: Payments, { items }: { items?: Item[] } = {}) {
  const { peers } = payments
  const buyer = peers.givenBuyer()
  const wanted = items ?? [peers.givenItem()]
  const response = await start(payments, buyer, cartOf(...wanted))
  if (response.statusCode !== 200) throw new Error(`purchase refused: ${response.body}`)
  const { url, orderId } = response.json() as { url: string; orderId: string }
  return { buyer, items: wanted, url, orderId }
}

export const view = async (
  { app }: Payments,
  { orderId, buyer }: { orderId: string; buyer: TestBuyer },
): Promise<Order> => (await app.inject({ method: 'GET', url: `/api/orders/${orderId}`, headers: buyer.headers })).json()

export const cancel = ({ app }: Payments, { orderId, buyer }: { orderId: string; buyer: TestBuyer }) =>
  app.inject({ method: 'POST', url: `/api/orders/${orderId}/cancel`, headers: buyer.headers })

export const lines = ({ db }: Payments, orderId: string): Promise<Line[]> => linesOf(db, orderId)

/** Resolves once all lines of an order have these states. */
export async function waitForLines(payments: Payments, orderId: string, ...states: Line['state'][]) {
  let seen: string[] = []
  await vi
    .waitUntil(
      async () => {
        seen = (await lines(payments, orderId)).map(({ state }) => state)
        return seen.length > 0 && seen.join() === states.join()
      },
      { timeout: 30_000, interval: 20 },
    )
    .catch(() => {
      throw new Error(`lines are ${seen.join()}, expected ${states.join()}`)
    })
}

/** An order that is paid: the card is held. */
export async function givenPaidOrder(payments: Payments, given: { items?: Item[] } = {}) {
  const order = await givenOpenOrder(payments, given)
  await payments.sandbox.pay(order.url)
  await waitForLines(payments, order.orderId, ...order.items.map(() => 'authorised' as const))
  return { ...order, lines: await lines(payments, order.orderId) }
}

export const txHash = `0x${'ab'.repeat(32)}`

const delivery = (line: Line) => ({
  lineId: line.id,
  orderId: line.orderId,
  itemId: line.itemId,
  token: tokenOf(line.contract!, line.identifier!),
  at: new Date().toISOString(),
})

export const startedFor = (line: Line) => messageOf(deliveryStarted, { ...delivery(line), txHash })
export const finalFor = (line: Line) =>
  messageOf(deliveryFinal, { ...delivery(line), txHash, buyerId: line.buyerId, wallet, block: 7 })
export const failedFor = (line: Line, reason = 'not_owner') => messageOf(deliveryFailed, { ...delivery(line), reason })

export async function deliver({ consume, peers }: Payments, line: Line) {
  peers.finalLines.add(line.id)
  await consume(startedFor(line))
  await consume(finalFor(line))
}

/** An order whose delivered lines were captured. */
export async function givenCompletedOrder(payments: Payments, given: { items?: Item[] } = {}) {
  const order = await givenPaidOrder(payments, given)
  for (const line of order.lines) await deliver(payments, line)
  await waitForLines(payments, order.orderId, ...order.lines.map(() => 'completed' as const))
  return { ...order, intentId: await intentOf(payments, order.orderId) }
}

export async function intentOf({ db }: Payments, orderId: string): Promise<string> {
  const { intentId } = await db
    .selectFrom('orders')
    .select('intentId')
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow()
  return intentId!
}

/** Sums of a line's book entries by kind, cents. */
export async function booksOf({ db }: Payments, lineId: string) {
  const rows = await db.selectFrom('bookEntry').selectAll().where('lineId', '=', lineId).orderBy('id').execute()
  const sum = (kind: string) => rows.reduce((cents, row) => cents + (row.kind === kind ? row.amountCents : 0), 0)
  return { sale: sum('sale'), royalty: sum('royalty'), commission: sum('commission'), platform: sum('platform') }
}

/** Events in the outbox, oldest first. */
export async function publishedEvents({ db }: Payments, name?: string) {
  const rows = await db.selectFrom('outbox').select(['name', 'data']).orderBy('seq').execute()
  return rows
    .filter((row) => name === undefined || row.name === `payments.${name}.v1`)
    .map((row) => ({ name: row.name, data: row.data as Record<string, unknown> }))
}

export const alarms = async ({ db }: Payments) =>
  (await db.selectFrom('alarm').select('name').orderBy('name').execute()).map(({ name }) => name)
