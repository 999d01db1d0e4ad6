import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { startTestBidding } from './testing.ts'

const catalog = await startTestBidding()
const { begin, accept, withdraw, bidOn, givenOfferable, givenOffer, getInternal, givenAccount, peers, seller, app } =
  catalog
const { db, internalUrl } = catalog
const search = (query: string) => getInternal(`/internal/offers?${query}`)
const found = async (query: string) => (await search(query)).offers.map(({ orderId }: any) => orderId)

test('operators find offers by work, account and state, the newest first', async () => {
  const [item, other] = [await givenOfferable(), await givenOfferable()]
  const ended = await givenOffer(item)
  await withdraw(ended)
  const [open, unpaid] = [await givenOffer(item), bidOn(item)]
  await begin(unpaid)
  const accepted = await givenOffer(other, { buyerId: open.buyerId, days: 1 })
  await accept(accepted)
  const ids = (...bids: { orderId: string }[]) => bids.map(({ orderId }) => orderId)

  expect(await found('')).toEqual(ids(accepted, unpaid, open))
  expect(await found('state=any')).toEqual(ids(accepted, unpaid, open, ended))
  expect(await found('state=ended')).toEqual(ids(ended))
  expect(await found(`itemId=${item.itemId}`)).toEqual(ids(unpaid, open))
  expect(await found(`accountId=${open.buyerId}`)).toEqual(ids(accepted, open))
  expect(await found(`accountId=${seller.userId}&state=accepted`)).toEqual(ids(accepted))
  expect(await found(`itemId=${randomUUID()}`)).toEqual([])
  expect((await search(`itemId=${other.itemId}`)).offers[0]).toEqual({
    orderId: accepted.orderId,
    itemId: other.itemId,
    token: `${other.contract}/${other.identifier}`,
    name: 'Dusk',
    ownerId: seller.userId,
    buyerId: open.buyerId,
    price: 90,
    days: 1,
    state: 'accepted',
    why: null,
    startedAt: expect.any(String),
    endsAt: expect.any(String),
  })
})

test('a page has 50 offers, and the next one those that follow', async () => {
  const item = await givenOfferable()
  for (let count = 0; count < 52; count++) await begin(bidOn(item))
  const first = await search(`itemId=${item.itemId}`)
  const second = await search(`itemId=${item.itemId}&after=${first.next}`)
  expect([first.offers.length, second.offers.length, second.next]).toEqual([50, 2, null])
  expect(new Set([...first.offers, ...second.offers].map(({ orderId }: any) => orderId)).size).toBe(52)
  expect(await search(`after=${randomUUID()}`)).toMatchObject({ code: 'invalid_cursor' })
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
  await catalog.place(bid)
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
