import { expect, test } from 'vitest'
import { startTestBidding } from './testing.ts'

const { getInternal, seller, givenOfferable, givenOffer, bidOn, begin, withdraw } = await startTestBidding()

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
  expect(await found({ itemId: item.itemId, state: 'ended' })).toMatchObject([
    { orderId: withdrawn.orderId, state: 'ended', why: 'withdrawn' },
  ])
  const rest = await found({ itemId: item.itemId, state: 'any', after: begun.orderId })
  expect(idsOf(rest)).toEqual([withdrawn.orderId, open.orderId])
  expect(await found({ orderId: withdrawn.orderId })).toEqual([])
  expect(await found({ orderId: withdrawn.orderId, state: 'any' })).toHaveLength(1)
})

test('an offer to go on after that does not exist is a 400', async () => {
  expect(await search({ after: seller.userId })).toMatchObject({ code: 'invalid_cursor' })
})
