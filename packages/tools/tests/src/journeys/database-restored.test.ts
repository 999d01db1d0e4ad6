import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Nft } from '@nifty/api/catalog/public'
import type { ServiceName } from '@nifty/api/services'
import { endAuction } from '@nifty/chaos/campaign/auctions'
import { type ApiClient, accountsOf, ledgerOf, logIn as logInAs, pay, untilOrder } from '@nifty/testkit/api-client'
import { holdBid, startBid, untilBidEnded, untilPrice } from '@nifty/testkit/auctions'
import { quickChain, type Store, startStore } from '@nifty/testkit/store'
import { waitUntil } from '@nifty/testkit/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { betweenCommands, operate, type StartedSale } from './restored-store.ts'

/** As in a cluster, the other databases, the events between the services, the chain and the processor have moved on. */
const restored: ServiceName[] = ['payments', 'catalog', 'minting']

let store: Store
let backupAt: string
let sales: Pick<StartedSale, 'work' | 'orderId'>[]
let auction: Awaited<ReturnType<typeof auctionBeforeAndAfter>>
let minted: { _id: string; contract: string; identifier: string }[]

beforeAll(async () => {
  store = await startStore({ works: 12, env: { ...quickChain, PAYMENTS_POLL_MS: '1000' } })
  await waitUntil(async () => JSON.parse(await readFile(join(store.folder, 'demo.json'), 'utf8')).done)
  const { auctionOf, buyOne, logIn, mintOne, offerFor, runSql, whileStopped } = operate(store)
  const before = await buyOne(await logIn())
  const offer = await offerFor(await logIn())
  auction = await auctionBeforeAndAfter(await auctionOf(await logIn()))
  backupAt = new Date().toISOString()
  await store.stop()
  await whileStopped(async (url) => {
    for (const name of restored) await runSql(url, 'postgres', `create database ${name}_backup template ${name}`)
  })
  await store.restart()
  await offer.accept()
  await untilOrder(await logIn(), offer.orderId, 'completed')
  await auction.outbid()
  sales = [before, offer, await buyOne(await logIn())]
  minted = [await mintOne(before.work, 'Minted after the backup')]
})
afterAll(async () => {
  await store?.remove()
})

/** An auction with one bid, which another collector outbids later. */
async function auctionBeforeAndAfter(work: Nft) {
  const { run } = store
  const [first, second] = accountsOf(run, 'collector')
  const visitor = await logInAs(run, first!)
  const { price } = work
  const lost = await holdBid(run, { client: visitor, work, limit: price!, price: price! })
  const bidOf = async (client: ApiClient, limit: number) => {
    const { orderId, url } = await startBid({ client, work, limit, deliverTo: 'wallet' })
    await pay(run, url, run.cards.approved)
    return orderId
  }
  let leading: string
  return {
    work,
    /** In euros. */
    opening: price!,
    lost: lost.orderId,
    leading: () => leading,
    outbid: async () => {
      leading = await bidOf(await logInAs(run, second!), price! * 3)
      expect(await untilBidEnded(visitor, lost.orderId)).toBe('outbid')
    },
    bidAgain: async () => {
      leading = await bidOf(await logInAs(run, first!), price! * 2)
      await untilPrice(visitor, work, price!)
    },
  }
}

/** What the processor did with the money of an order, by its own ledger; cents. */
const moneyOf = async (orderId: string) =>
  (await ledgerOf(store.run)).entries
    .filter(({ reference, kind }) => reference === orderId && kind !== 'session_created')
    .map(({ kind, amount }) => `${kind} ${amount}`)

/** Replaces one database by its copy, and publishes the events of all other services since then again. */
async function restoreDatabase(name: ServiceName) {
  const { ops, runSql, whileStopped } = operate(store)
  await store.stop()
  await whileStopped(async (url) => {
    await runSql(url, 'postgres', `drop database ${name}`)
    await runSql(url, 'postgres', `alter database ${name}_backup rename to ${name}`)
  })
  await store.restart()
  for (const other of ['auth', 'catalog', 'payments', 'minting', 'notification'])
    if (other !== name) {
      const reason = `${name} restored`
      const republished = await ops('republish', other, '--since', backupAt, '--yes', '--reason', reason)
      expect(republished).toMatchObject({ code: 0 })
    }
}

test.each(restored)(
  'after a restore of the database of %s, orders, books, owners and works agree again',
  async (name) => {
    const { buyOne, differences, expectOwned, logIn, mintOne, offerFor, ops, startSale } = operate(store)
    const newest = minted.at(-1)!
    const open = await startSale(await logIn(), ({ _id }) => _id !== newest._id)
    const offer = await offerFor(await logIn(), ({ _id }) => _id !== newest._id && _id !== open.work._id)
    await restoreDatabase(name)

    const visitor = await logIn()
    for (const { orderId } of sales) await untilOrder(visitor, orderId, 'completed')
    for (const { work } of sales) await expectOwned(work)
    if (name === 'payments') await untilOrder(visitor, open.orderId, 'released')
    else await visitor.cancel(open.orderId)
    // The key has signed since, so its signer halts.
    if (name === 'minting') {
      const resumed = () => ops('resume-signer', '--yes', '--reason', 'minting restored')
      await waitUntil(async () => (await resumed()).code === 0 || undefined, betweenCommands)
    }
    // Catalog lacks the offer: its hold is given back. Payments reads it at the processor again.
    if (name === 'catalog') await untilOrder(visitor, offer.orderId, 'released')
    else {
      await waitUntil(async () => (await offer.accept()).status === 200)
      await untilOrder(visitor, offer.orderId, 'completed')
      await expectOwned(offer.work)
    }
    await continueAuction(name)
    await waitUntil(async () => (await differences()).length === 0 || undefined, betweenCommands)
    expect(await differences()).toEqual([])

    // The work that was minted after the backup is sold like any other.
    const sold = await buyOne(visitor, ({ _id }) => _id === newest._id)
    await expectOwned(sold.work)
    sales.push(sold)
    minted.push(await mintOne(sold.work, `Minted after ${name}`))
  },
  600_000,
)

/** After payments it goes on, after catalog without bids; after minting its end comes, and its work is delivered. */
async function continueAuction(restored: ServiceName) {
  const { logIn, expectOwned } = operate(store)
  const visitor = await logIn()
  const { work, opening, lost, leading, bidAgain } = auction
  const cents = (euros: number) => Math.round(euros * 100)
  await untilOrder(visitor, lost, 'released')
  expect(await moneyOf(lost)).toEqual([`held ${cents(opening)}`, `released ${cents(opening)}`])
  const bidder = await logInAs(store.run, accountsOf(store.run, 'collector')[1]!)
  if (restored === 'payments') {
    expect((await untilOrder(bidder, leading(), 'held')).state).toBe('held')
    expect(await moneyOf(leading())).toEqual([`held ${cents(opening * 3)}`])
  }
  if (restored === 'catalog') {
    await untilOrder(bidder, leading(), 'released')
    await untilPrice(visitor, work, null)
    expect(await moneyOf(leading())).toEqual([`held ${cents(opening * 3)}`, `released ${cents(opening * 3)}`])
    await bidAgain()
  }
  if (restored === 'minting') {
    await endAuction(store.folder, { itemId: work._id, leaderOrder: leading() })
    const order = await untilOrder(visitor, leading(), 'completed')
    expect(order).toMatchObject({ kind: 'bid', limit: opening * 2, total: opening, captured: opening })
    await expectOwned(work)
  }
}
