import { randomUUID } from 'node:crypto'
import { accountChanged, accountDeleted, passwordReset } from '@nifty/events/auth'
import { tokenContested } from '@nifty/events/minting'
import { orderLineContested } from '@nifty/events/payments'
import { messageOf } from '@nifty/service-kit/testing/events'
import { expect, test } from 'vitest'
import { at, wallet } from '../testing.ts'
import { startTestBidding } from './testing.ts'

const HOUR_MS = 3_600_000

const catalog = await startTestBidding()
const { begin, place, limitOn, givenAuction, givenPage, givenBid, auctionOf, bidState, startAuction, endIn } = catalog
const { get, post, put, consume, givenAccount, givenItem, moveToken, published, runJob, db } = catalog
const { lockWork, setClockSeen } = catalog

/** A work that its owner bought and has on auction, with one bid that leads and one that is not paid. */
async function givenRunning() {
  const [artist, owner] = [await givenAccount({ admin: true }), await givenAccount({ admin: true, wallet: wallet() })]
  const item = await givenItem(artist.userId, { priceCents: null })
  await moveToken(item, { ownerId: owner.userId, wallet: owner.wallet })
  await startAuction(item, {}, { userId: owner.userId })
  const auction = { ...item, id: (await auctionOf(item)).id }
  await givenBid(item, 2_000)
  const [leader, unpaid] = [await givenBid(item, 5_000), await givenPage(item, 6_000)]
  return { owner, item: auction, leader, unpaid }
}
type Given = Awaited<ReturnType<typeof givenRunning>>

const change =
  (changes: object) =>
  ({ owner }: Given) =>
    consume(messageOf(accountChanged, { ...owner, version: 2, ...changes }))
const deleteAccount = ({ userId, username, email, firstName }: Given['owner']) =>
  consume(messageOf(accountDeleted, { userId, username, email, firstName, at }))
const moveTo = (ownerId: string | null) => (given: Given) =>
  moveToken(given.item, { ownerId, wallet: wallet(), position: 300 })
const contest = ({ item, owner }: Given) => {
  const line = { orderId: randomUUID(), lineId: randomUUID(), itemId: item.itemId, token: item.token, name: 'Dusk' }
  const accounts = { buyerId: owner.userId, sellerId: randomUUID() }
  return consume(messageOf(orderLineContested, { ...line, ...accounts, priceCents: 12_000, at }))
}

test.each<[string, string, string, (given: Given) => Promise<unknown>]>([
  [
    'an operator hides',
    'hidden',
    'operator',
    ({ item }) => post(`/internal/items/${item.itemId}/hide`, { reason: 'a report' }),
  ],
  [
    'an operator takes off it',
    'operator',
    'operator',
    ({ item }) => post(`/internal/auctions/${item.id}/void`, { reason: 'a report' }),
  ],
  ['moves to another account', 'moved', 'undeliverable', moveTo(randomUUID())],
  ['moves to a wallet of nobody', 'moved', 'undeliverable', moveTo(null)],
  ['its owner moves to another wallet', 'moved', 'undeliverable', (given) => moveTo(given.owner.userId)(given)],
  ['has a suspended owner', 'account', 'account', change({ suspended: true })],
  ['has an owner who may not sell any more', 'account', 'account', change({ admin: false })],
  ['has an owner who deletes the account', 'account', 'account', ({ owner }) => deleteAccount(owner)],
  ['is contested', 'account', 'account', contest],
  [
    'was given with a payment that is contested',
    'account',
    'account',
    ({ item, owner }) => consume(messageOf(tokenContested, { token: item.token, ownerId: owner.userId, at })),
  ],
  ['has an owner with another wallet', 'undeliverable', 'undeliverable', change({ wallet: wallet() })],
  [
    'has an owner whose password was reset',
    'undeliverable',
    'undeliverable',
    ({ owner: { userId } }) => consume(messageOf(passwordReset, { userId, at } as never)),
  ],
])('the auction of a work is void, with all its bids, that %s', async (_what, why, reason, end) => {
  const given = await givenRunning()

  await end(given)
  await end(given)

  const { leader, unpaid, item } = given
  expect(await auctionOf(item)).toMatchObject({ state: 'void', why, leaderOrder: null, endedAt: expect.any(Date) })
  expect([await bidState(leader), await bidState(unpaid)]).toEqual(['ended: void', 'ended: void'])
  expect([...(await published(leader.orderId)), ...(await published(unpaid.orderId))]).toMatchObject([
    { name: 'catalog.bid-leads.v1', latestEndAt: expect.any(String) },
    { name: 'catalog.bid-ended.v1', outcome: 'lost', why: 'void', wasHeld: true, auction: { auctionId: item.id, why } },
    { name: 'catalog.bid-ended.v1', outcome: 'lost', why: 'void', wasHeld: false },
  ])
  const events = await published(item.itemId)
  expect(events.filter(({ name }) => name === 'catalog.auction-ended.v1')).toMatchObject([{ outcome: 'void', why }])
  expect(events.filter(({ name }) => name === 'catalog.item-delisted.v1')).toMatchObject([{ reason }])
  const stored = db.selectFrom('item').select(['auctionId', 'forSale', 'reservedOrder', 'priceCents'])
  expect(await stored.where('id', '=', item.itemId).executeTakeFirstOrThrow()).toEqual({
    auctionId: null,
    forSale: false,
    reservedOrder: null,
    priceCents: 1_000,
  })
  expect((await begin(limitOn(item, 7_000))).body.code).toBe(why === 'hidden' ? 'item_not_found' : 'auction_closed')
  expect((await place(unpaid)).body).toMatchObject({ state: 'ended', why: 'void' })
})

test('a work on auction that is moved into custody stays on auction', async () => {
  const { item, leader, owner } = await givenRunning()
  await moveToken(item, { ownerId: owner.userId, wallet: null, position: 300 })
  expect([(await auctionOf(item)).state, await bidState(leader)]).toEqual(['open', 'leading'])
})

test('its owner does not hide a work on auction', async () => {
  const { item, owner } = await givenRunning()
  expect((await put(owner.userId, `${item.path}/hide`)).json()).toMatchObject({ code: 'on_auction' })
})

test.each([
  [
    'suspended or being deleted',
    (buyer: Given['owner']) => consume(messageOf(accountChanged, { ...buyer, version: 2, suspended: true })),
  ],
  ['deleted', deleteAccount],
])('the bids of an account end that is %s, and no others', async (_what, end) => {
  const buyer = await givenAccount()
  const { userId: buyerId } = buyer
  const [led, open, other, won] = [
    await givenAuction(),
    await givenAuction(),
    await givenAuction(),
    await givenAuction(),
  ]
  const winner = await givenBid(won, 5_000, { buyerId })
  await endIn(won, -1)
  await runJob('auctions')
  const leader = await givenBid(led, 5_000, { buyerId })
  const raise = await givenPage(led, 9_000, { buyerId })
  const page = await givenPage(led, 7_000)
  const unpaid = await givenPage(open, 5_000, { buyerId })
  const [foreign, low] = [await givenBid(other, 5_000), await givenBid(other, 2_000, { buyerId })]

  await end(buyer)
  await end(buyer)

  const account = 'ended: account'
  expect(await Promise.all([leader, raise, unpaid].map(bidState))).toEqual([account, account, account])
  expect(await Promise.all([page, foreign, low, winner].map(bidState))).toEqual([
    'started',
    'leading',
    'ended: outbid',
    'won',
  ])
  expect(await auctionOf(led)).toMatchObject({ state: 'open', leaderOrder: null, priceCents: null })
  expect((await auctionOf(other)).leaderOrder).toBe(foreign.orderId)
  expect(await get(led.page)).toMatchObject({ price: 10, auction: { minimum: 10, price: null } })
  expect(await get(open.page)).toMatchObject({ auction: { outcome: null } })
  expect((await get(`/api/auctions/${led.id}/bids`)).bids).toMatchObject([{ price: 10, withdrawn: true }])
  const events = await Promise.all([leader, raise, unpaid].map(({ orderId }) => published(orderId)))
  expect(events.flat()).toMatchObject([
    { name: 'catalog.bid-leads.v1', buyerId },
    { why: 'account', wasHeld: true, buyerId },
    { why: 'account', wasHeld: false },
    { why: 'account', wasHeld: false },
  ])
  await place(page)
  expect(await auctionOf(led)).toMatchObject({ leaderOrder: page.orderId, priceCents: 1_000 })
})

test.each([
  ['outbid', 'ended: outbid'],
  ['decided', 'won'],
  ['ended by an operator’s block of the account', 'ended: account'],
] as const)('a bid that leads outlasts the freeze of its account until it is %s', async (_end, state) => {
  const buyer = await givenAccount()
  const { userId: buyerId } = buyer
  const item = await givenAuction()
  const loser = await givenBid(item, 3_000)
  const leader = await givenBid(item, 5_000, { buyerId })
  const [raise, unpaid] = [
    await givenPage(item, 9_000, { buyerId }),
    await givenPage(await givenAuction(), 5_000, { buyerId }),
  ]
  const account = (version: number, states: object) =>
    consume(messageOf(accountChanged, { ...buyer, version, ...states }))
  const standing = await auctionOf(item)

  await account(2, { suspended: true, frozen: true })
  await account(3, { suspended: true, frozen: true })

  expect(await Promise.all([leader, raise, unpaid, loser].map(bidState))).toEqual([
    'leading',
    'ended: account',
    'ended: account',
    'ended: outbid',
  ])
  expect(await auctionOf(item)).toEqual(standing)
  expect((await place(leader)).body).toMatchObject({ state: 'open' })
  if (state === 'won') {
    await endIn(item, -1)
    await runJob('auctions')
  } else if (state === 'ended: outbid') {
    await account(4, { suspended: false })
    await givenBid(item, 7_000)
  } else {
    await account(5, { suspended: true })
    // An event that was published before, as of a retry queue.
    await account(4, { suspended: true, frozen: true })
    expect(await auctionOf(item)).toMatchObject({ leaderOrder: null, priceCents: null })
  }
  expect(await bidState(leader)).toBe(state)
})

test('an auction whose owner freezes the account ends, and its bids are given back', async () => {
  const { item, leader, owner } = await givenRunning()
  await consume(messageOf(accountChanged, { ...owner, version: 2, suspended: true, frozen: true }))
  expect([(await auctionOf(item)).state, await bidState(leader)]).toEqual(['void', 'ended: void'])
})

test('an auction whose work is locked for long keeps no other waiting, nor the end of an outage', async () => {
  const [locked, other, later] = [await givenAuction(), await givenAuction(), await givenAuction()]
  const [first, second] = [await givenBid(locked, 5_000), await givenBid(other, 5_000)]
  await givenBid(later, 5_000)
  // Before the ends have come: the job of the service runs, too, and may decide the other one.
  const locks = [await lockWork(locked), await lockWork(later)]
  await setClockSeen(-HOUR_MS)
  for (const auction of [locked, other]) await endIn(auction, -2 * HOUR_MS)

  await expect(runJob('auctions')).rejects.toThrow(/^2 of \d failed/)
  expect([await bidState(first), await bidState(second)]).toEqual(['leading', 'won'])

  for (const lock of locks) await lock.rollback().execute()
  await runJob('auctions')
  expect(await bidState(first)).toBe('won')
})
