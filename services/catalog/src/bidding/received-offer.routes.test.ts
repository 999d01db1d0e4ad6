import { randomUUID } from 'node:crypto'
import { accountChanged } from '@nifty/events/auth'
import { deliveryFinal } from '@nifty/events/minting'
import { bidReleased, orderLineReleased } from '@nifty/events/payments'
import { waitForBlockedQuery } from '@nifty/service-kit/testing/blocked-query'
import { messageOf } from '@nifty/service-kit/testing/events'
import { expect, test } from 'vitest'
import { at, orderFor, txHash, wallet } from '../testing.ts'
import { startTestBidding } from './testing.ts'

const catalog = await startTestBidding()
const { begin, place, withdraw, accept, decline, received, bidOn, givenOfferable, givenOffer, stateOf } = catalog
const { setMinimum, offerOf, get, post, put, consume, givenAccount, givenItem, moveToken, published, peers } = catalog
const { seller, db, app, lockWork } = catalog

type Work = { itemId: string; token: string; contract: string; identifier: string }
type Bought = { orderId: string; buyerId: string; limitCents: number }

const line = ({ itemId, token }: Work, { orderId, buyerId, limitCents }: Bought) => ({
  orderId,
  lineId: randomUUID(),
  itemId,
  token,
  name: 'Dusk',
  buyerId,
  sellerId: seller.userId,
  priceCents: limitCents,
  at,
})
const deliver = (item: Work, bid: Bought, hash = txHash()) =>
  consume(messageOf(deliveryFinal, { ...line(item, bid), wallet: wallet(), txHash: hash, block: 1 }))
const releaseLine = (item: Work, bid: Bought) =>
  consume(messageOf(orderLineReleased, { ...line(item, bid), reason: 'undeliverable', moneyWasHeld: true } as never))
const outcomes = async ({ orderId }: { orderId: string }) =>
  (await published(orderId)).map(({ outcome, why }: any) => why ?? outcome)
/** By the database's clock: not that of the service which has published the end. */
const endsAfterItsStart = async (bid: { orderId: string }) => {
  const { startedAt, endedAt } = await offerOf(bid)
  return endedAt! > startedAt
}

test('an accepted offer reserves its work, which is not for sale, at its price', async () => {
  const item = await givenOfferable()
  const bid = await givenOffer(item, { limitCents: 7_050 })

  const { status, body } = await accept(bid)

  expect(status).toBe(200)
  expect(body.offer).toMatchObject({ orderId: bid.orderId, price: 70.5, state: 'accepted' })
  expect(await get(item.page)).toMatchObject({
    reserved: true,
    reservedUntil: null,
    forSale: false,
    offers: { count: 0 },
  })
  expect((await place(bid)).body).toEqual({ state: 'won', priceCents: 7_050, why: null, decideBy: null })
  expect((await withdraw(bid)).body.state).toBe('won')
  expect(await decline(bid)).toMatchObject({ status: 409, body: { code: 'offer_accepted' } })
  expect(await accept(bid)).toEqual({ status, body })
  expect(await published(bid.orderId)).toMatchObject([
    { name: 'catalog.bid-ended.v1', outcome: 'won', wasHeld: true, priceCents: 7_050, ownerId: seller.userId },
  ])
  expect((await published(item.itemId)).map(({ name }) => name)).toEqual(['catalog.offer-received.v1'])
})

test('a listed work is sold for an offer, and nobody buys it meanwhile', async () => {
  const item = await givenItem(seller.userId)
  await setMinimum(item, 90)
  const bid = await givenOffer(item, { limitCents: 9_000 })
  await accept(bid)
  expect((await post('/internal/reservations', orderFor([item]))).body.code).toBe('item_reserved')
})

test('after its delivery the offer has sold the work, and the others end', async () => {
  const item = await givenOfferable()
  const [bid, other, unpaid] = [await givenOffer(item), await givenOffer(item, { limitCents: 9_900 }), bidOn(item)]
  await begin(unpaid)
  await accept(bid)
  expect([await stateOf(other), await stateOf(unpaid)]).toEqual(['open', 'started'])

  const hash = txHash()
  await moveToken(item, { ownerId: bid.buyerId, wallet: bid.buyerWallet, txHash: hash })
  expect(await Promise.all([bid, other, unpaid].map(stateOf))).toEqual(['accepted', 'ended: sold', 'ended: sold'])
  await deliver(item, bid, hash)

  expect(await stateOf(bid)).toBe('ended: delivered')
  expect((await place(bid)).body).toMatchObject({ state: 'won', priceCents: 9_000 })
  expect(await decline(bid)).toMatchObject({ status: 409, body: { code: 'offer_accepted' } })
  expect(await outcomes(bid)).toEqual(['won'])
  expect(await outcomes(other)).toEqual(['sold'])
  const page = await get(item.page)
  expect(page).toMatchObject({ reserved: false, forSale: false, offers: null })
  expect(page.history[0]).toMatchObject({ what: 'sold', price: 90, txHash: hash })
  expect(await received()).not.toContainEqual(expect.objectContaining({ itemId: item.itemId }))
})

test('other offers end with the delivery also when the token’s move is consumed later, and the work can be sold again', async () => {
  const item = await givenOfferable()
  const [bid, other] = [await givenOffer(item), await givenOffer(item)]
  await accept(bid)
  await deliver(item, bid)
  expect([await stateOf(bid), await stateOf(other)]).toEqual(['ended: delivered', 'ended: sold'])
  expect([await endsAfterItsStart(bid), await endsAfterItsStart(other)]).toEqual([true, true])
  expect(await get(item.page)).toMatchObject({ offers: null })

  const next = await givenAccount({ ...(await givenAccount()), userId: bid.buyerId, admin: true })
  await moveToken(item, { ownerId: next.userId })
  await setMinimum(item, 80, next.userId)
  const second = await givenOffer(item)
  expect((await accept(second, { userId: next.userId })).status).toBe(200)
  expect(await stateOf(second)).toBe('accepted')
})

test('offers for a new owner stay when the delivery is consumed after the move', async () => {
  const item = await givenOfferable()
  const bid = await givenOffer(item)
  await accept(bid)
  const owner = await givenAccount({ ...(await givenAccount()), userId: bid.buyerId, admin: true })
  await moveToken(item, { ownerId: owner.userId })
  await setMinimum(item, 50, owner.userId)
  const next = await givenOffer(item)
  await deliver(item, bid)
  expect(await stateOf(next)).toBe('open')
  expect(await get(item.page)).toMatchObject({ offers: { count: 1 } })
})

test('an accepted offer that fails frees its work, and another one is accepted', async () => {
  const item = await givenOfferable()
  const [bid, other] = [await givenOffer(item), await givenOffer(item)]
  await accept(bid)
  expect(await accept(other)).toMatchObject({ status: 409, body: { code: 'item_reserved' } })

  await releaseLine(item, bid)
  await releaseLine(item, bid)

  expect(await stateOf(bid)).toBe('ended: failed')
  expect(await endsAfterItsStart(bid)).toBe(true)
  expect(await outcomes(bid)).toEqual(['won'])
  expect((await place(bid)).body).toMatchObject({ state: 'ended', why: 'failed' })
  expect(await accept(bid)).toMatchObject({ status: 409, body: { code: 'offer_over', details: { why: 'failed' } } })
  expect((await accept(other)).status).toBe(200)
  expect(await get(item.page)).toMatchObject({ reserved: true })
})

test('an offer whose money payments gave back before it knew of the acceptance frees its work', async () => {
  const item = await givenOfferable()
  const bid = await givenOffer(item)
  await accept(bid)
  const { orderId, itemId } = bid
  await consume(messageOf(bidReleased, { orderId, itemId, lineId: randomUUID(), kind: 'offer', why: 'hold_lost', at }))
  expect(await stateOf(bid)).toBe('ended: hold_lost')
  expect(await outcomes(bid)).toEqual(['won', 'hold_lost'])
  expect(await get(item.page)).toMatchObject({ reserved: false })
})

test('an accepted work whose token moves elsewhere stays reserved until its order is released', async () => {
  const item = await givenOfferable()
  const [bid, other] = [await givenOffer(item), await givenOffer(item)]
  await accept(bid)
  await moveToken(item, { ownerId: (await givenAccount()).userId, wallet: wallet() })
  expect([await stateOf(bid), await stateOf(other)]).toEqual(['accepted', 'ended: moved'])
  expect((await place(bid)).body.state).toBe('won')
  await releaseLine(item, bid)
  expect(await stateOf(bid)).toBe('ended: failed')
  expect(await get(item.page)).toMatchObject({ reserved: false, offers: null })
})

test('while somebody pays the listing no offer is accepted, and afterwards it is', async () => {
  const item = await givenItem(seller.userId)
  await setMinimum(item, 90)
  const bid = await givenOffer(item)
  const order = orderFor([item])
  await post('/internal/reservations', order)
  expect(await accept(bid)).toMatchObject({ status: 409, body: { code: 'item_reserved' } })
  expect(await stateOf(bid)).toBe('open')
  await releaseLine(item, { ...order, limitCents: 12_000 })
  expect((await accept(bid)).status).toBe(200)
})

test('a purchase that began while minting was asked is found under the lock', async () => {
  const item = await givenItem(seller.userId)
  await setMinimum(item, 90)
  const bid = await givenOffer(item)
  peers.whileMintingIsAsked(() => post('/internal/reservations', orderFor([item])))
  expect(await accept(bid)).toMatchObject({ status: 409, body: { code: 'item_reserved' } })
})

test('of a withdrawal and an acceptance at the same instant one wins, a hundred times', async () => {
  const item = await givenOfferable()
  for (let round = 0; round < 100; round++) {
    const bid = await givenOffer(item)
    const requests = [() => accept(bid), () => withdraw(bid)]
    const [first, second] = await Promise.all((round % 2 ? requests : requests.reverse()).map((request) => request()))
    const [accepted, withdrawn] = round % 2 ? [first!, second!] : [second!, first!]
    const { state } = await offerOf(bid)
    expect([accepted.status, withdrawn.body.state]).toEqual(state === 'accepted' ? [200, 'won'] : [409, 'ended'])
    expect(await outcomes(bid)).toEqual([state === 'accepted' ? 'won' : 'withdrawn'])
    expect((await get(item.page)).reserved).toBe(state === 'accepted')
    if (state === 'accepted') await releaseLine(item, bid)
  }
})

test('an acceptance waits for a withdrawal that has the lock, and is refused', async () => {
  const item = await givenOfferable()
  const bid = await givenOffer(item)
  const lock = await lockWork(item)
  const acceptance = accept(bid)
  await waitForBlockedQuery(db)
  await lock.updateTable('offer').set({ state: 'ended', why: 'withdrawn' }).where('orderId', '=', bid.orderId).execute()
  await lock.commit().execute()
  expect(await acceptance).toMatchObject({ status: 409, body: { code: 'offer_over', details: { why: 'withdrawn' } } })
  expect(await get(item.page)).toMatchObject({ reserved: false })
})

test.each([
  ['seller', 403, 'not_a_seller'],
  ['buyer', 409, 'offer_over'],
])(
  'an acceptance waits for the suspension of its %s that is stored at that moment, and is refused',
  async (who, status, code) => {
    const accounts = { seller: await givenAccount({ admin: true }), buyer: await givenAccount() }
    const { userId } = accounts.seller
    const item = await givenItem(userId, { priceCents: null })
    await setMinimum(item, 50, userId)
    const bid = await givenOffer(item, { buyerId: accounts.buyer.userId })
    const suspension = await db.startTransaction().execute()
    const suspended = accounts[who as keyof typeof accounts].userId
    await suspension.updateTable('account').set({ suspended: true }).where('userId', '=', suspended).execute()
    const acceptance = accept(bid, { userId })
    await waitForBlockedQuery(db).finally(() => suspension.commit().execute())
    expect(await acceptance).toMatchObject({ status, body: { code } })
    expect([await stateOf(bid), (await get(item.page)).reserved]).toEqual(['open', false])
  },
)

test('two acceptances at once reserve the work for one offer', async () => {
  const item = await givenOfferable()
  const bids = [await givenOffer(item), await givenOffer(item)]
  const responses = await Promise.all(bids.map((bid) => accept(bid)))
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 409])
  expect((await Promise.all(bids.map(stateOf))).sort()).toEqual(['accepted', 'open'])
  // The owner sees which one waits for the other.
  const ofItem = (await received()).filter(({ itemId }) => itemId === item.itemId)
  expect(ofItem.map(({ state, reserved }) => `${state} ${reserved}`).sort()).toEqual(['accepted false', 'open true'])
})

test('an offer is not accepted after its end, also when the worker is late', async () => {
  const item = await givenOfferable()
  const bid = await givenOffer(item)
  await db
    .updateTable('offer')
    .set({ endsAt: new Date(Date.now() - 1) })
    .where('orderId', '=', bid.orderId)
    .execute()
  expect(await accept(bid)).toMatchObject({ status: 409, body: { code: 'offer_over', details: { why: 'expired' } } })
  expect(await get(item.page)).toMatchObject({ reserved: false })
})

test('a declined offer is over, and a second click changes nothing', async () => {
  const item = await givenOfferable()
  const bid = await givenOffer(item)
  expect(await decline(bid)).toEqual({ status: 200, body: { success: true } })
  expect((await decline(bid)).status).toBe(200)
  expect(await outcomes(bid)).toEqual(['declined'])
  expect((await place(bid)).body).toMatchObject({ state: 'ended', why: 'declined' })
  expect(await accept(bid)).toMatchObject({ status: 409, body: { code: 'offer_over', details: { why: 'declined' } } })
})

test('only the owner decides, about offers whose card is held', async () => {
  const item = await givenOfferable()
  const [bid, unpaid] = [await givenOffer(item), bidOn(item)]
  await begin(unpaid)
  const other = await givenAccount({ admin: true })
  const notFound = { status: 404, body: { code: 'offer_not_found' } }
  for (const decide of [accept, decline]) {
    expect(await decide(bid, { userId: other.userId })).toMatchObject(notFound)
    expect(await decide(unpaid)).toMatchObject(notFound)
    expect(await decide({ orderId: randomUUID() })).toMatchObject(notFound)
    expect((await decide(bid, { userId: bid.buyerId })).status).toBe(403)
    expect((await decide({ orderId: 'x' })).status).toBe(400)
  }
  expect((await app.inject({ method: 'POST', url: `/api/received-offers/${bid.orderId}/accept` })).statusCode).toBe(401)
  expect(await stateOf(bid)).toBe('open')
})

test('an offer for a work in a wallet is accepted once a permit is signed that lasts as long as its hold', async () => {
  const item = await givenOfferable({}, { inWallet: wallet() })
  const bid = await givenOffer(item)
  peers.refusals.set(item.token, { code: 'permit_required', permit: { primaryType: 'Permit' } })
  const refused = await accept(bid)
  expect(refused).toMatchObject({ status: 409, body: { code: 'permit_required' } })
  expect(refused.body.details).toEqual({ typedData: { primaryType: 'Permit' } })
  const { to, tokens } = peers.requests.at(-1)!
  const { endsAt } = await offerOf(bid)
  expect(to).toBe(bid.buyerWallet)
  expect(tokens[0]!.until).toBe(new Date(endsAt!.getTime() + 26 * 3_600_000).toISOString())

  peers.refusals.clear()
  expect((await accept(bid)).status).toBe(200)
})

test.each([
  ['work_contested', 409],
  ['recipient_refuses', 409],
  ['gift_waits', 409],
  ['not_owner', 409],
  ['not_final', 503],
])('an offer that minting would not deliver (%s) stays open', async (code, status) => {
  const item = await givenOfferable()
  const bid = await givenOffer(item)
  peers.refusals.set(item.token, { code })
  expect((await accept(bid)).status).toBe(status)
  expect(await stateOf(bid)).toBe('open')
})

test('while the chain does not respond an offer stays open', async () => {
  const bid = await givenOffer(await givenOfferable())
  peers.unavailable = 'chain_unavailable'
  expect(await accept(bid)).toMatchObject({ status: 503, body: { code: 'chain_unavailable' } })
  peers.unavailable = null
  expect(await stateOf(bid)).toBe('open')
})

test('a work that moves to another wallet while minting is asked ends its offers', async () => {
  const item = await givenOfferable({}, { inWallet: wallet() })
  const bid = await givenOffer(item)
  peers.whileMintingIsAsked(() => moveToken(item, { ownerId: seller.userId, wallet: wallet() }))
  expect(await accept(bid)).toMatchObject({ body: { code: 'offer_over', details: { why: 'moved' } } })
})

test('an offer to a wallet that its owner has linked since is not accepted', async () => {
  const owner = await givenAccount({ admin: true })
  const item = await givenItem(owner.userId, { priceCents: null })
  await setMinimum(item, 50, owner.userId)
  const bid = await givenOffer(item)
  await consume(messageOf(accountChanged, { ...owner, version: 2, wallet: bid.buyerWallet }))
  expect(await accept(bid, { userId: owner.userId })).toMatchObject({ status: 403, body: { code: 'own_item' } })
  expect(await stateOf(bid)).toBe('open')
})

test('an offer below half of the usual price needs a step-up, and the owner gets a mail', async () => {
  const item = await givenItem(seller.userId)
  expect((await setMinimum(item, 60)).status).toBe(200)
  await db.updateTable('item').set({ offerMinimumCents: 5_000 }).where('id', '=', item.itemId).execute()
  const [bid, same] = [await givenOffer(item, { limitCents: 5_999 }), await givenOffer(item, { limitCents: 6_000 })]
  expect(await accept(bid)).toMatchObject({ status: 403, body: { code: 'step_up_required' } })
  expect(await stateOf(bid)).toBe('open')
  const mails = async () =>
    (await published(item.itemId)).filter(({ name }) => name === 'catalog.unusual-price-listed.v1')
  expect(await mails()).toEqual([])

  expect((await accept(bid, { steppedUp: true })).status).toBe(200)
  expect(await mails()).toMatchObject([{ userId: seller.userId, priceCents: 5_999, formerCents: 12_000 }])
  await releaseLine(item, bid)
  expect((await accept(same)).status).toBe(200)
  expect(await mails()).toHaveLength(1)
})

test('received offers are listed by work, the highest first, with what the creator gets', async () => {
  const creator = await givenAccount({ admin: true })
  const owner = await givenAccount({ admin: true })
  const [own, bought] = [
    await givenItem(owner.userId, { priceCents: null }),
    await givenItem(creator.userId, { priceCents: null }),
  ]
  await moveToken(bought, { ownerId: owner.userId })
  const buyer = await givenAccount()
  for (const item of [own, bought]) await setMinimum(item, 1, owner.userId)
  const [low, high] = [await givenOffer(own), await givenOffer(own, { limitCents: 9_950, buyerId: buyer.userId })]
  const other = await givenOffer(bought, { days: 5 })
  await begin(bidOn(own))
  await accept(low, { userId: owner.userId })

  const offers = await received(owner.userId)

  expect(offers.map(({ orderId }: any) => orderId)).toEqual(
    expect.arrayContaining([low, high, other].map(({ orderId }) => orderId)),
  )
  expect(offers.filter(({ itemId }: any) => itemId === own.itemId)).toMatchObject([
    { orderId: high.orderId, price: 99.5, royaltyPercent: 0, buyerUsername: buyer.username, state: 'open' },
    { orderId: low.orderId, price: 90, buyerUsername: null, state: 'accepted' },
  ])
  const [ofBought] = offers.filter(({ itemId }: any) => itemId === bought.itemId)
  expect(ofBought).toMatchObject({ royaltyPercent: 5, name: 'Dusk', contract: bought.contract, state: 'open' })
  expect(new Date(ofBought.endsAt).getTime() - new Date(ofBought.at).getTime()).toBe(5 * 86_400_000)
  expect(await received((await givenAccount({ admin: true })).userId)).toEqual([])
})

test('a delisting that is requested while an accepted offer is delivered applies when that fails', async () => {
  const item = await givenItem(seller.userId)
  await setMinimum(item, 90)
  const bid = await givenOffer(item)
  await accept(bid)
  await put(seller.userId, `${item.path}/remove-from-sale`)
  expect((await published(item.itemId)).at(-1)).toMatchObject({
    name: 'catalog.delist-requested.v1',
    orderId: bid.orderId,
  })
  await releaseLine(item, bid)
  expect(await get(item.page)).toMatchObject({ forSale: false, reserved: false, offers: { minimum: 90 } })
})
