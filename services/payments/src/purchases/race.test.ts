import { accountDeleted } from '@nifty/events/auth'
import { waitForBlockedQuery } from '@nifty/service-kit/testing/blocked-query'
import { messageOf } from '@nifty/service-kit/testing/events'
import type { Transaction } from 'kysely'
import { expect, test } from 'vitest'
import type { Database } from '../db.ts'
import { lockOrder } from '../orders/order.store.ts'
import { startTestPayments } from '../testing/payments.ts'
import { wallet } from '../testing/peers.ts'
import { cancel, cartOf, givenOpenOrder, lines, publishedEvents, start } from '../testing/sale.ts'
import { placeOrder } from './purchase.actions.ts'
import { lockBuyer } from './purchase.store.ts'

const payments = await startTestPayments({ manual: true })
const { peers, db, config } = payments

/** Runs `work` after the query of the transaction that finds the buyer's orders in progress. */
function afterOrderIsRead(trx: Transaction<Database>, work: () => Promise<unknown>): Transaction<Database> {
  let done = false
  return trx.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      const isFirst = !done && result.rows.some((row) => 'active' in row)
      done ||= isFirst
      if (isFirst) await work()
      return result
    },
  })
}

test('a second request waits for the first and returns the same order', async () => {
  const buyer = peers.givenBuyer()
  const item = peers.givenItem()
  const cart = [{ itemId: item.itemId, priceCents: item.priceCents }]
  const first = await db.startTransaction().execute()
  const { id: orderId } = await placeOrder(
    first,
    { buyer: { userId: buyer.userId, wallet, emailConfirmed: true }, cart, gift: null, network: '' },
    config,
  )
  const second = start(payments, buyer, cartOf(item))
  await waitForBlockedQuery(db)
  await first.commit().execute()
  expect((await second).json()).toMatchObject({ success: true, orderId })
})

test('a purchase that is repeated while its order is released places a new order', async () => {
  const { buyer, items, orderId } = await givenOpenOrder(payments)
  const cart = items.map(({ itemId, priceCents }) => ({ itemId, priceCents }))
  const released = { state: 'released', reason: 'cancelled', note: 'timeout' } as const
  // The released order no longer counts.
  const onlyOneOpen = { ...config, limits: { ...config.limits, openPerBuyer: 1 } }
  const release = () => db.updateTable('line').set(released).where('orderId', '=', orderId).execute()

  const { id: placed } = await db
    .transaction()
    .execute((trx) =>
      placeOrder(
        afterOrderIsRead(trx, release),
        { buyer: { userId: buyer.userId, wallet, emailConfirmed: true }, cart, gift: null, network: '' },
        onlyOneOpen,
      ),
    )

  expect(placed).not.toBe(orderId)
  expect((await lines(payments, placed)).map(({ state }) => state)).toEqual(['placed'])
})

test('an item that catalog frees before its order is closed here is refused to the next buyer', async () => {
  const open = await givenOpenOrder(payments)
  const [item] = open.items
  item!.reservedBy = null

  const next = await start(payments, peers.givenBuyer(), cartOf(item!))

  expect([next.statusCode, next.json().code]).toEqual([409, 'item_reserved'])
  expect((await lines(payments, open.orderId))[0]!.state).toBe('awaiting_payment')
})

test('a cancellation waits for the running step and acts on its result', async () => {
  const order = await givenOpenOrder(payments)
  peers.signedLines.add((await lines(payments, order.orderId))[0]!.id)
  const running = await db.startTransaction().execute()
  await lockOrder(running, order.orderId)
  await running.updateTable('line').set({ state: 'authorised' }).where('orderId', '=', order.orderId).execute()
  await running.updateTable('line').set({ state: 'delivering' }).where('orderId', '=', order.orderId).execute()
  const cancelling = cancel(payments, order)
  await waitForBlockedQuery(db)
  await running.commit().execute()
  expect((await cancelling).json()).toMatchObject({ code: 'delivery_started' })
})

test.each(['wallet', 'custody'] as const)(
  'an account that is deleted while its purchase (%s) starts gets no payment page',
  async (deliverTo) => {
    const buyer = peers.givenBuyer()
    const { userId } = buyer
    const running = await db.startTransaction().execute()
    await lockBuyer(running, userId)
    const starting = start(payments, buyer, { ...cartOf(peers.givenItem()), deliverTo })
    await waitForBlockedQuery(db)
    peers.accounts.delete(userId)
    const person = {
      userId,
      username: '@ben',
      email: 'ben@example.com',
      firstName: 'Ben',
      at: new Date().toISOString(),
    }
    await payments.consume(messageOf(accountDeleted, person))
    await running.commit().execute()

    expect((await starting).statusCode).toBe(401)
    const [line] = await db.selectFrom('line').selectAll().where('buyerId', '=', userId).execute()
    expect(line).toMatchObject({ state: 'released' })
    const abandoned = await publishedEvents(payments, 'order-line-abandoned')
    expect(abandoned.map(({ data }) => data.lineId)).toContain(line!.id)
  },
)

test('a lock timeout on an order is a 503, not a 500', async () => {
  const order = await givenOpenOrder(payments)
  const running = await db.startTransaction().execute()
  await lockOrder(running, order.orderId)
  const response = await cancel(payments, order)
  await running.rollback().execute()
  expect([response.statusCode, response.json().code]).toEqual([503, 'busy'])
  expect((await lines(payments, order.orderId))[0]!.state).toBe('awaiting_payment')
})
