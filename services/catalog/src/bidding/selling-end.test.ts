import { randomUUID } from 'node:crypto'
import { accountChanged, accountDeleted } from '@nifty/events/auth'
import { tokenContested } from '@nifty/events/minting'
import { orderLineCleared, orderLineContested } from '@nifty/events/payments'
import { waitForBlockedQuery } from '@nifty/service-kit/testing/blocked-query'
import { messageOf } from '@nifty/service-kit/testing/events'
import { expect, test } from 'vitest'
import { at, wallet } from '../testing.ts'
import { startTestBidding } from './testing.ts'

const catalog = await startTestBidding()
const { begin, place, accept, bidOn, givenOffer, setMinimum, stateOf, offerOf } = catalog
const { get, post, put, consume, givenAccount, givenItem, moveToken, published, db } = catalog

/** A work of an owner of its own, that bought it, with one offer that is held and one that is not paid. */
async function givenOffers({ listed = false } = {}) {
  const [artist, owner] = [await givenAccount({ admin: true }), await givenAccount({ admin: true })]
  const item = await givenItem(artist.userId, { priceCents: null })
  await moveToken(item, { ownerId: owner.userId })
  if (listed) await put(owner.userId, `${item.path}/set-price`, { price: 120, forSale: true })
  await setMinimum(item, 60, owner.userId)
  const [held, unpaid] = [await givenOffer(item), bidOn(item)]
  await begin(unpaid)
  const line = { orderId: randomUUID(), lineId: randomUUID(), itemId: item.itemId, token: item.token, name: 'Dusk' }
  const contested = { ...line, buyerId: owner.userId, sellerId: artist.userId, priceCents: 12_000, at }
  return { owner, item, held, unpaid, contested }
}
type Given = Awaited<ReturnType<typeof givenOffers>>

const hide = ({ owner, item }: Given) => put(owner.userId, `${item.path}/hide`)
const hideByOperator = ({ item }: Given) => post(`/internal/items/${item.itemId}/hide`, { reason: 'a report' })
const change =
  (changes: object) =>
  ({ owner }: Given) =>
    consume(messageOf(accountChanged, { ...owner, version: 2, ...changes }))
const deleteAccount = ({ owner: { userId, username, email, firstName } }: Given) =>
  consume(messageOf(accountDeleted, { userId, username, email, firstName, at }))
const moveTo = (ownerId: string | null) => (given: Given) =>
  moveToken(given.item, { ownerId, wallet: wallet(), position: 300 })
const withdrawToken = (given: Given) => moveTo(given.owner.userId)(given)

test.each<[string, string, (given: Given) => Promise<unknown>]>([
  ['its owner hides', 'hidden', hide],
  ['an operator hides', 'hidden', hideByOperator],
  ['moves to another account', 'moved', moveTo(randomUUID())],
  ['moves to a wallet of nobody', 'moved', moveTo(null)],
  ['its owner withdraws', 'moved', withdrawToken],
  ['has a suspended owner', 'account', change({ suspended: true })],
  ['has an owner who may not sell any more', 'account', change({ admin: false })],
  ['has an owner who deletes the account', 'account', deleteAccount],
  ['is contested', 'account', ({ contested }) => consume(messageOf(orderLineContested, contested))],
  [
    'was given with a payment that is contested',
    'account',
    ({ item, owner }) => consume(messageOf(tokenContested, { token: item.token, ownerId: owner.userId, at })),
  ],
])('the offers for a work end that %s', async (_what, why, end) => {
  const given = await givenOffers()

  await end(given)
  await end(given)

  const { held, unpaid, item } = given
  expect([await stateOf(held), await stateOf(unpaid)]).toEqual([`ended: ${why}`, `ended: ${why}`])
  const events = [...(await published(held.orderId)), ...(await published(unpaid.orderId))]
  expect(events).toMatchObject([
    { name: 'catalog.bid-ended.v1', outcome: 'lost', why, wasHeld: true, itemId: item.itemId },
    { outcome: 'lost', why, wasHeld: false },
  ])
  const { offerMinimumCents } = await db
    .selectFrom('item')
    .select('offerMinimumCents')
    .where('id', '=', item.itemId)
    .executeTakeFirstOrThrow()
  expect(offerMinimumCents).toBeNull()
  expect(await begin(bidOn(item))).toMatchObject(
    why === 'hidden' ? { status: 404, body: { code: 'item_not_found' } } : { status: 409, body: { code: 'no_offers' } },
  )
})

test('offers end with the right to sell also where the minimum was taken back before', async () => {
  const given = await givenOffers()
  await setMinimum(given.item, null, given.owner.userId)
  await change({ suspended: true })(given)
  expect(await stateOf(given.held)).toBe('ended: account')
})

const suspendBuyer = (buyer: object) =>
  consume(messageOf(accountChanged, { ...buyer, version: 2, suspended: true } as never))
const freezeBuyer = (buyer: object) =>
  consume(messageOf(accountChanged, { ...buyer, version: 2, suspended: true, frozen: true } as never))
const deleteBuyer = ({ userId, username, email, firstName }: Given['owner']) =>
  consume(messageOf(accountDeleted, { userId, username, email, firstName, at }))

test.each([
  ['suspended or being deleted', suspendBuyer],
  ['frozen by its owner', freezeBuyer],
  ['deleted', deleteBuyer],
])('the offers of an account end that is %s, and no others', async (_what, end) => {
  const [one, two] = [await givenOffers(), await givenOffers()]
  const buyer = await givenAccount()
  const { userId: buyerId } = buyer
  const held = await givenOffer(one.item, { buyerId })
  const unpaid = bidOn(two.item, { buyerId })
  await begin(unpaid)
  const sold = await givenOffers()
  const accepted = await givenOffer(sold.item, { buyerId })
  await accept(accepted, { userId: sold.owner.userId })

  await end(buyer)
  await end(buyer)

  expect([await stateOf(held), await stateOf(unpaid)]).toEqual(['ended: account', 'ended: account'])
  expect([await stateOf(accepted), await stateOf(one.held), await stateOf(two.held)]).toEqual([
    'accepted',
    'open',
    'open',
  ])
  expect([...(await published(held.orderId)), ...(await published(unpaid.orderId))]).toMatchObject([
    { name: 'catalog.bid-ended.v1', outcome: 'lost', why: 'account', wasHeld: true, buyerId },
    { outcome: 'lost', why: 'account', wasHeld: false },
  ])
  await consume(messageOf(accountChanged, { ...buyer, version: 3, suspended: false }))
  expect(await accept(held, { userId: one.owner.userId })).toMatchObject({
    status: 409,
    body: { code: 'offer_over', details: { why: 'account' } },
  })
})

test.each([
  ['suspended, frozen or being deleted', suspendBuyer],
  ['deleted', deleteBuyer],
])('an offer that begins after its buyer was %s ends when its card is held', async (_what, end) => {
  const { owner, item } = await givenOffers()
  const buyer = await givenAccount()
  await end(buyer)
  const bid = bidOn(item, { buyerId: buyer.userId })
  await begin(bid)

  expect((await place(bid)).body).toEqual({ state: 'ended', priceCents: null, why: 'account', decideBy: null })
  expect((await place(bid)).body.why).toBe('account')

  expect(await stateOf(bid)).toBe('ended: account')
  expect(await published(bid.orderId)).toMatchObject([
    { name: 'catalog.bid-ended.v1', outcome: 'lost', why: 'account', wasHeld: true },
  ])
  expect(await accept(bid, { userId: owner.userId })).toMatchObject({
    status: 409,
    body: { code: 'offer_over', details: { why: 'account' } },
  })
  expect(await get(item.page)).toMatchObject({ reserved: false, offers: { count: 1 } })
})

test('an offer waits for the suspension of its buyer that is stored at the moment its card is held', async () => {
  const { item } = await givenOffers()
  const buyer = await givenAccount()
  const bid = bidOn(item, { buyerId: buyer.userId })
  await begin(bid)
  const lock = await db.startTransaction().execute()
  await lock.updateTable('account').set({ suspended: true }).where('userId', '=', buyer.userId).execute()
  const placed = place(bid)
  await waitForBlockedQuery(db)
  await lock.commit().execute()
  expect((await placed).body).toMatchObject({ state: 'ended', why: 'account' })
})

test('an open offer whose buyer is suspended is not accepted before its end is stored', async () => {
  const { owner, item } = await givenOffers()
  const buyer = await givenAccount()
  const held = await givenOffer(item, { buyerId: buyer.userId })
  // The row alone: the event would end the offer as well.
  await db.updateTable('account').set({ suspended: true }).where('userId', '=', buyer.userId).execute()
  expect(await accept(held, { userId: owner.userId })).toMatchObject({
    status: 409,
    body: { code: 'offer_over', details: { why: 'account' } },
  })
  expect(await stateOf(held)).toBe('open')
})

test('an accepted offer survives the end of the selling, and a suspension asks payments to stop it', async () => {
  const given = await givenOffers()
  const { owner, held, item } = given
  await accept(held, { userId: owner.userId })
  await hideByOperator(given)
  expect([await stateOf(held), await stateOf(given.unpaid)]).toEqual(['accepted', 'ended: hidden'])
  await change({ suspended: true })(given)
  expect(await stateOf(held)).toBe('accepted')
  expect((await published(item.itemId)).at(-1)).toMatchObject({
    name: 'catalog.delist-requested.v1',
    orderId: held.orderId,
    suspended: true,
  })
})

test('an owner does not hide a work whose offer was accepted', async () => {
  const given = await givenOffers()
  await accept(given.held, { userId: given.owner.userId })
  expect((await hide(given)).json()).toMatchObject({ code: 'item_reserved' })
  expect(await stateOf(given.unpaid)).toBe('started')
})

test('a delisting by the owner, a new price and a move into custody end no offer', async () => {
  const { owner, item, held } = await givenOffers({ listed: true })
  await put(owner.userId, `${item.path}/set-price`, { price: 130, forSale: true })
  await put(owner.userId, `${item.path}/remove-from-sale`)
  await moveToken(item, { ownerId: owner.userId, wallet: null, position: 300 })
  expect(await stateOf(held)).toBe('open')
  expect(await get(item.page)).toMatchObject({ forSale: false, offers: { count: 1 } })
})

test('a contested work takes offers again once it is cleared', async () => {
  const { owner, item, contested } = await givenOffers()
  await consume(messageOf(orderLineContested, contested))
  expect(await get(item.page)).toMatchObject({ offers: null })
  expect(await setMinimum(item, 60, owner.userId)).toMatchObject({ status: 409, body: { code: 'work_contested' } })
  await consume(messageOf(orderLineCleared, { ...contested, at: '2026-04-01T12:00:00.000Z' }))
  expect((await setMinimum(item, 60, owner.userId)).status).toBe(200)
})

test('a work that is contested while minting is asked is not sold for an offer, and none begins', async () => {
  const { owner, item, held, contested } = await givenOffers()
  const { lineId, itemId, buyerId } = contested
  // The row alone: the event would end the offers as well.
  const contestMeanwhile = () =>
    catalog.peers.whileMintingIsAsked(() =>
      db.insertInto('contestedLine').values({ lineId, itemId, buyerId, contested: true, at }).execute(),
    )
  contestMeanwhile()
  expect((await accept(held, { userId: owner.userId })).body.code).toBe('work_contested')
  expect((await offerOf(held)).state).toBe('open')
  await db.deleteFrom('contestedLine').where('lineId', '=', lineId).execute()
  contestMeanwhile()
  expect((await begin(bidOn(item))).body.code).toBe('work_contested')
})
