import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestPayments } from '../testing/payments.ts'
import { cancel, cartOf, start } from '../testing/sale.ts'

const payments = await startTestPayments({ manual: true })
const { peers, db } = payments

test('a fourth open order is refused until one of the others is final', async () => {
  const buyer = peers.givenBuyer()
  const open = []
  for (let count = 0; count < 3; count++) open.push(await start(payments, buyer, cartOf(peers.givenItem())))
  expect(open.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])

  const fourth = await start(payments, buyer, cartOf(peers.givenItem()))
  expect(fourth.statusCode).toBe(429)
  expect(Number(fourth.headers['retry-after'])).toBeGreaterThan(60)
  expect(fourth.json()).toMatchObject({ message: 'Too many requests, please try again later.' })

  await cancel(payments, { orderId: open[0]!.json().orderId, buyer })
  expect((await start(payments, buyer, cartOf(peers.givenItem()))).statusCode).toBe(200)
})

test('a buyer can order the same item five times a day, which does not limit other buyers', async () => {
  const buyer = peers.givenBuyer()
  const item = peers.givenItem()
  for (let count = 0; count < 5; count++) {
    const { orderId } = (await start(payments, buyer, cartOf(item))).json()
    await cancel(payments, { orderId, buyer })
    item.reservedBy = null
  }
  expect((await start(payments, buyer, cartOf(item))).statusCode).toBe(429)
  expect((await start(payments, peers.givenBuyer(), cartOf(item))).statusCode).toBe(200)
})

test('an eleventh order within an hour is refused; orders that catalog rejected do not count', async () => {
  const buyer = peers.givenBuyer()
  const sold = peers.givenItem({ forSale: false })
  for (let count = 0; count < 12; count++) expect((await start(payments, buyer, cartOf(sold))).statusCode).toBe(409)
  for (let count = 0; count < 10; count++) {
    const { orderId } = (await start(payments, buyer, cartOf(peers.givenItem()))).json()
    await cancel(payments, { orderId, buyer })
  }
  expect((await start(payments, buyer, cartOf(peers.givenItem()))).statusCode).toBe(429)

  await sql`update orders set created_at = created_at - interval '61 minutes' where buyer_id = ${buyer.userId}`.execute(
    db,
  )
  expect((await start(payments, buyer, cartOf(peers.givenItem()))).statusCode).toBe(200)
})
