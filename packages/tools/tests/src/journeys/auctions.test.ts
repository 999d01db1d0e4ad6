import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connectMetamask, walletChallenge } from '@nifty/api/auth/public'
import { cancelAuction, listAuctionBids } from '@nifty/api/catalog/auctions'
import type { Nft } from '@nifty/api/catalog/public'
import { getStatement } from '@nifty/api/payments/public'
import { endAuction } from '@nifty/chaos/campaign/auctions'
import { type ApiClient, createApiClient, ledgerOf, logIn, pay, untilOrder } from '@nifty/testkit/api-client'
import { holdBid, startAuction, startBid, untilBidEnded, untilPrice } from '@nifty/testkit/auctions'
import { openChain } from '@nifty/testkit/chain'
import { apiClientOf, createUser } from '@nifty/testkit/users'
import { waitUntil } from '@nifty/testkit/wait-until'
import { workAndOwner } from '@nifty/testkit/works'
import { Wallet } from 'ethers'
import { afterAll, expect, test } from 'vitest'
import { sharedStore } from '../shared-store/shared-store.ts'

const { run, folder } = await sharedStore()
const visitor = createApiClient(run)
const chain = openChain(run)
afterAll(() => chain.close())

/** An auction from 10 € on whose clock waits for the first bid. */
async function givenAuction() {
  const { work, owner } = await workAndOwner(run, visitor)
  const seller = await logIn(run, owner)
  const auction = await startAuction(seller, work, 10)
  return { work, seller, auction }
}

async function givenBidder() {
  const user = await createUser(run)
  return { ...user, client: apiClientOf(run, user) }
}

/** A bidder with an own wallet. */
async function givenBidderWithWallet() {
  const bidder = await givenBidder()
  const wallet = Wallet.createRandom()
  const { address } = wallet
  const { message } = (await bidder.client.send(walletChallenge, { body: { address } })).body
  const signature = await wallet.signMessage(message)
  const body = { userId: bidder.userId, metamaskAddress: address, message, signature }
  expect((await bidder.client.send(connectMetamask, { body })).status).toBe(200)
  return { ...bidder, address }
}

/** What the processor did with the money of an order, by its own ledger; cents. */
const moneyOf = async (orderId: string) =>
  (await ledgerOf(run)).entries
    .filter(({ reference, kind }) => reference === orderId && kind !== 'session_created')
    .map(({ kind, amount }) => `${kind} ${amount}`)
const untilMoney = (orderId: string, money: string[]) =>
  waitUntil(async () => (await moneyOf(orderId)).join() === money.join())

/** Why the last auction of a work ended. */
const untilOutcome = (work: Pick<Nft, 'contract' | 'identifier'>, outcome: string) =>
  waitUntil(async () => {
    const { auction } = await visitor.item(work)
    return auction?.outcome === outcome && auction
  })
const bidsOf = async (client: ApiClient, id: string) =>
  (await client.send(listAuctionBids, { params: { id } })).body.bids

test('of three bidders the one who would pay most gets the work at one step above the second one', async () => {
  const { work, seller, auction } = await givenAuction()
  const [ada, ben, cleo] = [await givenBidder(), await givenBidderWithWallet(), await givenBidder()]
  expect(await visitor.item(work)).toMatchObject({ forSale: false, price: 10, auction: { endsAt: null, minimum: 10 } })

  const first = await holdBid(run, { client: ada.client, work, limit: 10, price: 10 })
  const most = { client: ben.client, work, limit: 30, deliverTo: 'wallet' } as const
  const leading = await holdBid(run, { ...most, price: 11 })
  await untilMoney(first.orderId, ['held 1000', 'released 1000'])
  const second = await holdBid(run, { client: cleo.client, work, limit: 20, price: 21 })
  await untilMoney(second.orderId, ['held 2000', 'released 2000'])
  expect([await untilBidEnded(ada.client, first.orderId), await untilBidEnded(cleo.client, second.orderId)]).toEqual([
    'outbid',
    'outbid',
  ])
  expect((await bidsOf(visitor, auction._id)).map(({ bidder, leader, price }) => [bidder, leader, price])).toEqual([
    [3, 2, 21],
    [2, 2, 11],
    [1, 1, 10],
  ])
  expect((await ben.client.cancel(leading.orderId)).body.code).toBe('bid_binding')
  expect((await seller.send(cancelAuction, { params: { id: auction._id } })).body.code).toBe('auction_has_bids')
  expect((await ada.client.buy({ ...work, price: 21 }, 'custody')).status).toBe(409)
  expect(await moneyOf(leading.orderId)).toEqual(['held 3000'])

  await endAuction(folder, { itemId: work._id, leaderOrder: leading.orderId })
  const order = await untilOrder(ben.client, leading.orderId, 'completed')
  expect(order).toMatchObject({ kind: 'bid', limit: 30, total: 21, captured: 21 })
  const money = await moneyOf(leading.orderId)
  expect(money.filter((entry) => entry.startsWith('captured'))).toEqual(['captured 2100'])
  await waitUntil(async () => (await visitor.item(work)).ownerUsername === ben.username)
  expect(await chain.ownerOf(work)).toBe(ben.address)
  const { forSale, reserved, auction: last } = await visitor.item(work)
  expect({ forSale, reserved, outcome: last?.outcome }).toEqual({ forSale: false, reserved: false, outcome: 'sold' })
  const { entries } = (await seller.send(getStatement)).body
  expect(entries.filter(({ itemId }) => itemId === work._id)).toEqual([
    expect.objectContaining({ kind: 'sale', cause: 'capture', price: 21 }),
  ])
})

test('a bid whose hold is ended by the bank while it leads opens the auction again', async () => {
  const { work, seller, auction } = await givenAuction()
  const [ada, ben] = [await givenBidder(), await givenBidder()]
  await holdBid(run, { client: ada.client, work, limit: 10, price: 10 })
  const { orderId, url } = await holdBid(run, { client: ben.client, work, limit: 40, price: 11 })

  await lapse(url)
  expect(await untilBidEnded(ben.client, orderId)).toBe('hold_lost')
  const open = await untilPrice(visitor, work, null)
  expect(open).toMatchObject({ minimum: 10, outcome: null })
  expect((await bidsOf(visitor, auction._id)).map(({ price, withdrawn }) => [price, withdrawn])).toEqual([
    [11, true],
    [10, false],
  ])
  const page = await startBid({ client: ada.client, work, limit: 10 })
  expect((await seller.send(cancelAuction, { params: { id: auction._id } })).status).toBe(200)
  await waitUntil(async () => (await visitor.item(work)).forSale)
  expect(await visitor.item(work)).toMatchObject({ price: work.price, auction: null })
  await untilOrder(ada.client, page.orderId, 'released')
  expect((await pay(run, page.url, run.cards.approved)).status).not.toBe(200)
})

test('an auction whose winner’s wallet refuses the work fails, and nobody is charged', async () => {
  const { work } = await givenAuction()
  const holder = await chain.ownerOf(work)
  const bidder = await givenBidderWithWallet()
  const bid = { client: bidder.client, work, limit: 15, deliverTo: 'wallet' } as const
  const { orderId } = await holdBid(run, { ...bid, price: 10 })

  await refuseTokens(bidder.address)
  await endAuction(folder, { itemId: work._id, leaderOrder: orderId })
  const order = await untilOrder(bidder.client, orderId, 'released')
  expect(order).toMatchObject({ captured: 0, lines: [{ reason: 'undeliverable' }] })
  await untilMoney(orderId, ['held 1500', 'released 1500'])
  expect(await untilOutcome(work, 'failed')).toMatchObject({ price: 10 })
  expect(await visitor.item(work)).toMatchObject({ reserved: false, forSale: false })
  expect(await chain.ownerOf(work)).toBe(holder)
})

/** Makes a wallet a contract that reverts every call. */
async function refuseTokens(address: string) {
  const request = { jsonrpc: '2.0', id: 1, method: 'anvil_setCode', params: [address, '0x60006000fd'] }
  const headers = { 'content-type': 'application/json' }
  await fetch(run.chainRpcUrl, { method: 'POST', headers, body: JSON.stringify(request) })
}

/** The hold behind a payment page ends by its bank's time limit. */
async function lapse(url: string) {
  const { stripeKey } = JSON.parse(await readFile(join(folder, 'secrets.json'), 'utf8'))
  const session = await fetch(`${run.processorUrl}/v1/checkout/sessions/${new URL(url).pathname.split('/').at(-1)}`, {
    headers: { authorization: `Bearer ${stripeKey}` },
  })
  const { payment_intent: intent } = (await session.json()) as { payment_intent: string }
  const lapsed = await fetch(`${run.processorUrl}/sandbox/payment_intents/${intent}/lapse`, { method: 'POST' })
  expect(lapsed.status).toBe(200)
}
