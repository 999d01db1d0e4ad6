import { type RawBuilder, sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestPayments } from '../testing/payments.ts'
import type { Item } from '../testing/peers.ts'
import { cancel, cartOf, deliver, lines, publishedEvents, start, view, waitForLines } from '../testing/sale.ts'
import { eraseReleasedGifts } from './purchase.store.ts'

const payments = await startTestPayments()
const { peers, db } = payments

const giftOf = (changes: object = {}) => ({ email: 'ben@people.test', text: 'For you', ...changes })
const buy = (
  buyer: ReturnType<typeof peers.givenBuyer>,
  { items = [peers.givenItem()], ...changes }: { items?: Item[]; gift?: unknown; deliverTo?: string } = {},
) => start(payments, buyer, { ...cartOf(...items), deliverTo: 'custody', gift: giftOf(), ...changes })

const storedGift = (orderId: string) =>
  db.selectFrom('orders').select(['isGift', 'gift']).where('id', '=', orderId).executeTakeFirstOrThrow()

const eventsOf = async (orderId: string, name: string) =>
  (await publishedEvents(payments, name)).map(({ data }) => data).filter((data) => data.orderId === orderId)

test('a gift goes to minting once the card is held and again once it is charged, and is erased then', async () => {
  const buyer = peers.givenBuyer({ wallet: null })
  const response = await buy(buyer)
  expect(response.statusCode).toBe(200)
  const { orderId, url } = response.json()
  expect(await view(payments, { orderId, buyer })).toMatchObject({ isGift: true, gift: giftOf(), wallet: null })
  const session = await db.selectFrom('orders').select('sessionRequest').where('id', '=', orderId).executeTakeFirst()
  expect(JSON.stringify(session)).not.toContain('people.test')

  await payments.sandbox.pay(url)
  await waitForLines(payments, orderId, 'authorised')
  expect(await eventsOf(orderId, 'order-line-authorised')).toMatchObject([{ custody: true, gift: giftOf() }])
  expect(await view(payments, { orderId, buyer })).toMatchObject({ isGift: true, gift: null })

  for (const line of await lines(payments, orderId)) await deliver(payments, line)
  await waitForLines(payments, orderId, 'completed')
  expect(await eventsOf(orderId, 'order-line-completed')).toMatchObject([
    { custody: true, gift: true, giftTo: giftOf() },
  ])
  expect(await storedGift(orderId)).toEqual({ isGift: true, gift: null })
})

test('a purchase for oneself is no gift', async () => {
  const buyer = peers.givenBuyer()
  const { orderId } = (await buy(buyer, { gift: undefined })).json()
  expect(await view(payments, { orderId, buyer })).toMatchObject({ isGift: false })
})

test('a repeated purchase with another address corrects the unpaid order', async () => {
  const buyer = peers.givenBuyer()
  const items = [peers.givenItem()]
  const { orderId } = (await buy(buyer, { items })).json()
  expect((await buy(buyer, { items, gift: giftOf({ email: 'other@people.test' }) })).json()).toMatchObject({ orderId })
  expect(await storedGift(orderId)).toMatchObject({ gift: { email: 'other@people.test' } })
  expect((await buy(buyer, { items, gift: undefined })).json()).toMatchObject({ orderId })
  expect(await storedGift(orderId)).toMatchObject({ isGift: true, gift: { email: 'other@people.test' } })

  // As a second tab does that does not know of the order.
  const refused = await buy(buyer, { items, gift: null })
  expect([refused.statusCode, refused.json()]).toMatchObject([409, { code: 'order_is_gift', details: { orderId } }])
  expect(await storedGift(orderId)).toMatchObject({ isGift: true, gift: { email: 'other@people.test' } })
})

test.each([
  ['gift.email', { gift: giftOf({ email: 'nobody' }) }],
  ['gift.text', { gift: giftOf({ text: 'x'.repeat(301) }) }],
  ['gift.text', { gift: giftOf({ text: 'https://evil.test' }) }],
  ['deliverTo', { deliverTo: 'wallet' }],
])('a wrong %s of a gift is a 400 beside the field, and reserves nothing', async (path, changes) => {
  const before = peers.reservationRequests.length
  const response = await buy(peers.givenBuyer(), changes)
  expect(response.statusCode).toBe(400)
  expect(response.json()).toMatchObject({ code: 'invalid_gift', errors: [{ path }] })
  expect(peers.reservationRequests).toHaveLength(before)
})

test('several works are given one by one', async () => {
  const response = await buy(peers.givenBuyer(), { items: [peers.givenItem(), peers.givenItem()] })
  expect(response.json()).toMatchObject({ code: 'invalid_gift', errors: [{ path: 'items' }] })
})

test.each([['ben@people.test'], [{}], [{ email: 7 }], [[]]])('a gift of %j is a 400', async (gift) => {
  expect((await buy(peers.givenBuyer(), { gift })).statusCode).toBe(400)
})

test('ten gifts a day are bought, and released ones do not count', async () => {
  const buyer = peers.givenBuyer()
  const { orderId } = (await buy(buyer)).json()
  await sql`
    insert into orders (id, buyer_id, terms_version, total_cents, commission_bps, is_gift, created_at, expires_at, next_run_at)
    select gen_random_uuid(), buyer_id, terms_version, total_cents, commission_bps, true, now() - interval '2 hours',
      expires_at, null
    from orders, generate_series(1, 9) where id = ${orderId}`.execute(db)
  const withoutTriggers = (change: RawBuilder<unknown>) =>
    db.transaction().execute(async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx)
      await change.execute(trx)
    })
  await withoutTriggers(sql`
    insert into line select (jsonb_populate_record(line, jsonb_build_object('id', gen_random_uuid(), 'order_id', orders.id,
      'item_id', gen_random_uuid(), 'state', 'released', 'reason', 'cancelled'))).*
    from line, orders where line.order_id = ${orderId} and orders.buyer_id = line.buyer_id
      and orders.created_at < now() - interval '1 hour'`)
  expect((await buy(buyer)).statusCode).toBe(200)
  await sql`
    update orders set created_at = created_at - interval '3 hours' where buyer_id = ${buyer.userId}`.execute(db)
  await withoutTriggers(
    sql`update line set state = 'authorised', reason = null where buyer_id = ${buyer.userId} and state = 'released'`,
  )
  const refused = await buy(buyer)
  expect([refused.statusCode, refused.json().code]).toEqual([429, 'too_many_gifts'])
  expect((await buy(buyer, { gift: undefined })).statusCode).toBe(200)
})

test('a gift that minting would not mail today is a 429, and reserves nothing', async () => {
  const email = 'full@people.test'
  peers.refusedGifts.add(email)
  const before = peers.reservationRequests.length
  const refused = await buy(peers.givenBuyer(), { gift: giftOf({ email }) })
  expect([refused.statusCode, refused.json().code]).toEqual([429, 'too_many_gifts'])
  expect(refused.body).not.toContain('people.test')
  expect(peers.reservationRequests).toHaveLength(before)
})

test('a gift that was begun is continued after the limit of a day is reached', async () => {
  const email = 'late@people.test'
  const buyer = peers.givenBuyer()
  const items = [peers.givenItem()]
  const gift = giftOf({ email })
  const { orderId } = (await buy(buyer, { items, gift })).json()
  peers.refusedGifts.add(email)
  const continued = await buy(buyer, { items, gift })
  expect([continued.statusCode, continued.json().orderId]).toEqual([200, orderId])
  const refused = await buy(buyer, { gift })
  expect([refused.statusCode, refused.json().code]).toEqual([429, 'too_many_gifts'])
})

test('the address of a gift that was never paid, or was released, is erased', async () => {
  const { orderId } = (await buy(peers.givenBuyer())).json()
  await eraseReleasedGifts(db)
  expect((await storedGift(orderId)).gift).not.toBe(null)
  const age = (id: string) => sql`update orders set created_at = now() - interval '3 days' where id = ${id}`.execute(db)
  await age(orderId)
  await eraseReleasedGifts(db)
  expect(await storedGift(orderId)).toEqual({ isGift: true, gift: null })

  const buyer = peers.givenBuyer()
  const held = (await buy(buyer)).json()
  await payments.sandbox.pay(held.url)
  await waitForLines(payments, held.orderId, 'authorised')
  await age(held.orderId)
  await eraseReleasedGifts(db)
  expect((await storedGift(held.orderId)).gift).not.toBe(null)
  await cancel(payments, { orderId: held.orderId, buyer })
  await waitForLines(payments, held.orderId, 'released')
  await eraseReleasedGifts(db)
  expect(await storedGift(held.orderId)).toEqual({ isGift: true, gift: null })
})
