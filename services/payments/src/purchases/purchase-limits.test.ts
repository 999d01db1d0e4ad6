import { randomUUID } from 'node:crypto'
import { waitForBlockedQuery } from '@nifty/service-kit/testing/blocked-query'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { deleteExpired } from '../retention.ts'
import { startTestPayments } from '../testing/payments.ts'
import { cancel, cartOf, start } from '../testing/sale.ts'
import { DECLINED } from '../webhooks/webhook.ts'

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

test('after ten declined cards in a day a buyer starts no order, on whatever pages; others do', async () => {
  const buyer = peers.givenBuyer()
  const order = async () => {
    const { orderId } = (await start(payments, buyer, cartOf(peers.givenItem()))).json()
    const decline = (id: string) => sql`
      insert into stripe_inbox (event_id, type, created, order_id, fetched, handled_at)
      values (${id}, ${DECLINED}, now(), ${orderId}, false, now())`
    for (let card = 0; card < 4; card++) await decline(randomUUID()).execute(db)
    await cancel(payments, { orderId, buyer })
    return orderId as string | undefined
  }
  for (let page = 0; page < 3; page++) expect(await order()).toBeDefined()
  expect((await start(payments, buyer, cartOf(peers.givenItem()))).statusCode).toBe(429)
  expect((await start(payments, peers.givenBuyer(), cartOf(peers.givenItem()))).statusCode).toBe(200)

  await sql`update orders set created_at = created_at - interval '25 hours' where buyer_id = ${buyer.userId}`.execute(
    db,
  )
  expect((await start(payments, buyer, cartOf(peers.givenItem()))).statusCode).toBe(200)
})

const refused = { statusCode: 429, code: 'too_many_reserved' }
const answerOf = async (starting: ReturnType<typeof start>) => {
  const response = await starting
  return { statusCode: response.statusCode, code: response.json().code }
}
const works = (count: number) => Array.from({ length: count }, () => peers.givenItem())
/** Ends all orders, so that none counts for the network of the tests. */
const endAll = () =>
  sql`update line set state = 'released', reason = 'cancelled' where state in ('placed', 'awaiting_payment')`.execute(
    db,
  )

test('ten works of a buyer wait for their payment at once, in any number of orders', async () => {
  await endAll()
  const buyer = peers.givenBuyer()
  const first = await start(payments, buyer, cartOf(...works(7)))
  expect(first.statusCode).toBe(200)
  expect(await answerOf(start(payments, buyer, cartOf(...works(4))))).toEqual(refused)
  const rest = works(3)
  expect((await start(payments, buyer, cartOf(...rest))).statusCode).toBe(200)
  expect((await start(payments, buyer, cartOf(...rest))).statusCode).toBe(200)
  expect(await answerOf(start(payments, buyer, cartOf(peers.givenItem())))).toEqual(refused)

  await cancel(payments, { orderId: first.json().orderId, buyer })
  expect((await start(payments, buyer, cartOf(...works(7)))).statusCode).toBe(200)
})

test.each(['wallet', 'custody'])(
  'three works of an account without a confirmed address wait for their payment at once (%s)',
  async (deliverTo) => {
    await endAll()
    const buyer = peers.givenBuyer({ emailConfirmed: false })
    const buy = (...items: ReturnType<typeof works>) => start(payments, buyer, { ...cartOf(...items), deliverTo })
    const before = peers.reservationRequests.length
    expect(await answerOf(buy(...works(4)))).toEqual(refused)
    expect(peers.reservationRequests).toHaveLength(before)

    expect((await buy(...works(2))).statusCode).toBe(200)
    expect(await answerOf(buy(...works(2)))).toEqual(refused)
    expect((await buy(peers.givenItem())).statusCode).toBe(200)
    peers.accounts.get(buyer.userId)!.emailConfirmed = true
    expect((await buy(...works(7))).statusCode).toBe(200)
  },
)

/** A purchase of a new buyer at this address. */
const from = (remoteAddress: string, count: number) => {
  const { headers } = peers.givenBuyer()
  const payload = cartOf(...works(count))
  return payments.app.inject({ method: 'POST', url: '/api/nfts/test', headers, payload, remoteAddress })
}

test('thirty works of one site wait for their payment at once, whoever orders them from any of its networks', async () => {
  await endAll()
  const orders = []
  for (const host of [1, 2, 3]) orders.push(await from(`2001:db8:1:${host}::1`, 10))
  expect(orders.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])

  expect(await answerOf(from('2001:db8:1:2::4', 1))).toEqual(refused)
  expect((await from('2001:db8:2:2::4', 1)).statusCode).toBe(200)
  await endAll()
  expect((await from('2001:db8:1:2::4', 1)).statusCode).toBe(200)
})

test('orders of one site that start at once are counted one after the other', async () => {
  await endAll()
  for (const [host, count] of [10, 10, 9].entries())
    expect((await from(`2001:db8:9:4::${host + 1}`, count)).statusCode).toBe(200)
  // Orders are counted, and not stored before this ends.
  const blocking = await db.startTransaction().execute()
  await sql`lock table order_network in share mode`.execute(blocking)
  const starting = [from('2001:db8:9:4::8', 1), from('2001:db8:9:4::9', 1)]
  await waitForBlockedQuery(db, { count: 2 }).finally(() => blocking.commit().execute())
  const statuses = (await Promise.all(starting)).map(({ statusCode }) => statusCode)
  expect(statuses.toSorted()).toEqual([200, 429])
})

test('the network of an order is kept as a hash, for a day', async () => {
  await start(payments, peers.givenBuyer(), cartOf(peers.givenItem()))
  const networks = () => db.selectFrom('orderNetwork').select('network').execute()
  expect((await networks()).every(({ network }) => /^[0-9a-f]{64}$/.test(network))).toBe(true)
  await sql`update order_network set created_at = created_at - interval '25 hours'`.execute(db)
  await deleteExpired(db)
  expect(await networks()).toEqual([])
})

test('attempts that catalog rejects are limited as well, because their rows stay', async () => {
  const buyer = peers.givenBuyer()
  const { orderId } = (await start(payments, buyer, cartOf(peers.givenItem()))).json()
  await cancel(payments, { orderId, buyer })
  const copied = await sql<{ id: string }>`
    insert into orders (id, buyer_id, wallet, terms_version, total_cents, commission_bps, expires_at)
    select gen_random_uuid(), buyer_id, wallet, terms_version, total_cents, commission_bps, expires_at
    from orders, generate_series(1, 59) where id = ${orderId} returning id`.execute(db)
  const line = { position: 0, buyerId: buyer.userId, priceCents: 50 }
  const lines = copied.rows.map(({ id }) => ({ ...line, id: randomUUID(), orderId: id, itemId: randomUUID() }))
  await db.insertInto('line').values(lines).execute()
  await endAll()
  expect((await start(payments, buyer, cartOf(peers.givenItem()))).statusCode).toBe(429)
})
