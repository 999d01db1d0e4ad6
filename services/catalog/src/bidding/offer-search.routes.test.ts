import { expect, test } from 'vitest'
import { startTestBidding } from './testing.ts'

const catalog = await startTestBidding()
const { getInternal, seller, givenOfferable, givenOffer, givenAccount, bidOn, begin, place, withdraw } = catalog
const { app, db, internalUrl, peers } = catalog

const search = (query: Record<string, string>) => getInternal(`/internal/offers?${new URLSearchParams(query)}`)
const found = async (query: Record<string, string>) => (await search(query)).offers

test('operators find the offers of an order, a work, a buyer and an owner; ended ones on request, with the reason', async () => {
  const [item, other] = [await givenOfferable({ name: 'Dusk' }), await givenOfferable()]
  const [open, begun, withdrawn] = [await givenOffer(item), bidOn(item), await givenOffer(item)]
  await begin(begun)
  await withdraw(withdrawn)
  const elsewhere = await givenOffer(other)

  expect(await found({ orderId: open.orderId })).toMatchObject([
    { orderId: open.orderId, itemId: item.itemId, name: 'Dusk', price: 90, days: 3, state: 'open', why: null },
  ])
  const idsOf = (offers: { orderId: string }[]) => offers.map(({ orderId }) => orderId)
  expect(idsOf(await found({ itemId: item.itemId }))).toEqual([begun.orderId, open.orderId])
  expect(idsOf(await found({ accountId: open.buyerId }))).toEqual([open.orderId])
  expect(idsOf(await found({ accountId: seller.userId }))).toContain(elsewhere.orderId)
  const [ended] = await found({ itemId: item.itemId, state: 'ended' })
  expect(ended).toMatchObject({ orderId: withdrawn.orderId, state: 'ended', why: 'withdrawn' })
  expect([ended.endedAt > ended.startedAt, ended.endedAt < ended.endsAt]).toEqual([true, true])
  const rest = await found({ itemId: item.itemId, state: 'any', after: begun.orderId })
  expect(idsOf(rest)).toEqual([withdrawn.orderId, open.orderId])
  expect(await found({ orderId: withdrawn.orderId })).toEqual([])
  expect(await found({ orderId: withdrawn.orderId, state: 'any' })).toHaveLength(1)
})

test('an offer to go on after that does not exist is a 400', async () => {
  expect(await search({ after: seller.userId })).toMatchObject({ code: 'invalid_cursor' })
})

test('a page has 50 offers, and the next one those that follow', async () => {
  const item = await givenOfferable()
  for (let count = 0; count < 52; count++) await begin(bidOn(item))
  const first = await search({ itemId: item.itemId })
  const second = await search({ itemId: item.itemId, after: first.next })
  expect([first.offers.length, second.offers.length, second.next]).toEqual([50, 2, null])
  expect(new Set([...first.offers, ...second.offers].map(({ orderId }: any) => orderId)).size).toBe(52)
})

test('buyer and owner export an offer, the owner once its card was held, and without the wallet of the buyer', async () => {
  const item = await givenOfferable()
  const buyer = await givenAccount()
  const bid = bidOn(item, { buyerId: buyer.userId })
  await begin(bid)
  const exported = async (userId: string) => {
    const response = await app.inject({ url: '/api/creators/export', headers: peers.steppedUp(userId) })
    const { records } = response.json()
    return records.find(({ kind, data }: any) => kind === 'offer' && data.orderId === bid.orderId)?.data
  }
  expect(await exported(buyer.userId)).toMatchObject({ isBuyer: true, priceCents: 9_000, state: 'started' })
  expect(await exported(seller.userId)).toBeUndefined()
  await place(bid)
  expect(await exported(buyer.userId)).toMatchObject({ wallet: bid.buyerWallet, days: 3, itemId: item.itemId })
  const received = await exported(seller.userId)
  expect(received).toMatchObject({ isBuyer: false, state: 'open', wallet: null })
  expect(JSON.stringify(received)).not.toContain(buyer.userId)
})

test('metrics have the number of open offers, and for how long the oldest is past its end', async () => {
  const bid = await givenOffer(await givenOfferable())
  const past = new Date(Date.now() - 500_000)
  await db.updateTable('offer').set({ endsAt: past }).where('orderId', '=', bid.orderId).execute()
  const open = await db.selectFrom('offer').select('orderId').where('state', '=', 'open').execute()

  const text = await (await fetch(`${internalUrl}/metrics`)).text()

  const metric = (name: string) => Number(text.match(new RegExp(`^${name}(?:\\{.*\\})? (.*)$`, 'm'))?.[1])
  expect(metric('nifty_offers_open')).toBe(open.length)
  expect(metric('nifty_offers_overdue_seconds')).toBeGreaterThanOrEqual(500)
})
