import { expect, test } from 'vitest'
import { startTestPayments } from '../testing/payments.ts'
import { cartOf, publishedEvents, start } from '../testing/sale.ts'

const payments = await startTestPayments({ manual: true })
const { peers, db } = payments

const first = { email: 'first@people.test', text: 'For you' }
const late = { email: 'late@people.test', text: 'For you' }

test.each([
  [late, 'already_buying'],
  [null, 'order_is_gift'],
])('a purchase that is refused as it is paid leaves its gift, also with %j', async (gift, code) => {
  const buyer = peers.givenBuyer()
  const cart = { ...cartOf(peers.givenItem()), deliverTo: 'custody' }
  const { orderId, url } = (await start(payments, buyer, { ...cart, gift: first })).json()
  await payments.sandbox.pay(url)

  const answers = await Promise.all(Array.from({ length: 12 }, () => start(payments, buyer, { ...cart, gift })))
  for (const answer of answers) expect([answer.statusCode, answer.json().code]).toEqual([409, code])
  // Without a gift in the request the page goes on polling the purchase that is under way.
  expect((await start(payments, buyer, cart)).json()).toMatchObject({ code: 'already_buying' })
  const stored = db.selectFrom('orders').select(['isGift', 'gift']).where('id', '=', orderId)
  expect(await stored.executeTakeFirst()).toEqual({ isGift: true, gift: first })
  const authorised = (await publishedEvents(payments, 'order-line-authorised')).map(({ data }) => data)
  expect(authorised.filter((data) => data.orderId === orderId)).toMatchObject([{ gift: first }])
})

test('a purchase that is refused for a suspended account leaves its gift', async () => {
  const buyer = peers.givenBuyer()
  const cart = { ...cartOf(peers.givenItem()), deliverTo: 'custody' }
  const { orderId } = (await start(payments, buyer, { ...cart, gift: first })).json()
  peers.accounts.get(buyer.userId)!.suspended = true
  expect((await start(payments, buyer, { ...cart, gift: late })).json()).toMatchObject({ code: 'suspended' })
  const stored = db.selectFrom('orders').select('gift').where('id', '=', orderId)
  expect(await stored.executeTakeFirst()).toEqual({ gift: first })
})
