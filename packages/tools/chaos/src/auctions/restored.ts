import { join } from 'node:path'
import { startPostgres } from '@nifty/dev-servers/postgres'
import { datedLedger, heldFor, moneyOf } from '@nifty/testkit/dated-ledger'
import { waitUntil } from '@nifty/testkit/wait-until'
import pg from 'pg'
import { endAuction } from '../campaign/auctions.ts'
import type { Campaign, Log } from '../campaign/campaign.ts'
import { nameInStore } from '../campaign/databases.ts'
import { operate } from '../campaign/operate.ts'
import { closeShop, openShop, type Shop } from '../campaign/shop.ts'
import { type Bid, type Bidder, bid, biddersOf, openAuction, type Running } from './bidding.ts'
import { compareSold } from './outcome.ts'

const DATABASES = ['payments', 'catalog'] as const
type Database = (typeof DATABASES)[number]
const SERVICES = ['auth', 'catalog', 'payments', 'minting', 'notification']
const OPENING = 10
/** Payments asks again about a bid whose card is held after five minutes. */
const TIMEOUTS = { timeoutMs: 600_000, intervalMs: 500 }
/** Clocks of database and services are read to the second. */
const MARGIN_MS = 2_000

/**
 * The database of payments, and then that of catalog, goes back to a copy from the middle of auctions, while all other
 * databases, chain and processor stay as they are: in one the leader has changed since, one began, one was sold.
 * Expected: without payments' rows each bid stands as before and wins; what catalog lacks is given back, the auctions
 * that it has go on. Everybody is charged once, the price of a work that arrived, or nothing; `reconcile` balances.
 */
export const auctionsRestored: Campaign = async (log) => {
  const shop = await openShop({ log, works: 12 })
  const bidders = await biddersOf(shop.run, 3)
  const violations: string[] = []
  let [sold, givenBack] = [0, 0]
  for (const [place, database] of DATABASES.entries()) {
    const works = shop.works.slice(place * 3, place * 3 + 3)
    const auctions = await restoreDuring(shop, { database, works, bidders, log }).catch((error: Error) => {
      violations.push(`${database}: ${error.message}`)
    })
    if (!auctions) break
    violations.push(...auctions.violations.map((what) => `${database}: ${what}`))
    sold += auctions.sold
    givenBack += auctions.givenBack
  }
  await closeShop(shop, { violations, log })
  return {
    metrics: { 'databases restored': DATABASES.join(', '), 'works sold': sold, 'bids given back': givenBack },
    violations,
  }
}

type During = { database: Database; works: Shop['works']; bidders: Bidder[]; log: Log }

async function restoreDuring(shop: Shop, { database, works, bidders, log }: During) {
  const store = { run: shop.run, folder: shop.store.folder, chain: shop.chain }
  const [ada, ben, cleo] = bidders as [Bidder, Bidder, Bidder]
  const found: string[] = []
  const lead = async (auction: Running, bidder: Bidder, limit: number) =>
    found.push(...(await bid(store, auction, { bidder, move: 'lead', limit })))

  const led = await openAuction(shop.run, works[0]!, OPENING)
  const ended = await openAuction(shop.run, works[1]!, OPENING)
  await lead(led, ada, 20)
  const backupAt = new Date(Date.now() - MARGIN_MS)
  await whileStopped(shop, [`create database ${copyOf(database)} template ${nameInStore(database)}`])
  log(`${database} is copied while ${led.work.name} has a leader`)

  await lead(led, ben, 40)
  await lead(ended, ben, 15)
  found.push(...(await endSold(store, ended, OPENING)))
  const begun = await openAuction(shop.run, works[2]!, OPENING)
  await lead(begun, ada, 12)
  await whileStopped(shop, [
    `drop database ${nameInStore(database)}`,
    `alter database ${copyOf(database)} rename to ${nameInStore(database)}`,
  ])
  for (const service of SERVICES)
    if (service !== database)
      await operate(store.folder, ['republish', service, '--since', backupAt.toISOString(), ...because])
  log(
    `${database} is as it was: another bid leads since, ${begun.work.name} came on auction, ${ended.work.name} was sold`,
  )

  if (database === 'payments') {
    await untilHeld([led.leader!, begun.leader!])
    found.push(...(await bid(store, led, { bidder: cleo, move: 'lower', limit: 30 })))
    found.push(...(await endSold(store, led, 32)), ...(await endSold(store, begun, OPENING)))
  } else {
    await untilGivenBack(store.folder, [...led.bids, ...begun.bids])
    await waitUntil(async () => (await cleo.client.item(led.work)).auction?.price === null, TIMEOUTS)
    delete led.leader
    delete led.second
    await lead(led, cleo, 30)
    found.push(...(await endSold(store, led, OPENING)))
  }
  found.push(...(await compareCharged(store, ended, OPENING)))
  await untilBalanced(store.folder)
  const entries = await datedLedger(store.folder)
  const bids = [led, ended, begun].flatMap((auction) => auction.bids)
  for (const { orderId } of bids)
    if (heldFor(entries, orderId) !== 0) found.push(`the card of ${orderId} is held: ${moneyOf(entries, orderId)}`)
  const sold = bids.filter(({ orderId }) => moneyOf(entries, orderId).some((entry) => entry.startsWith('captured')))
  log(`${database}: ${sold.length} works sold, ${bids.length - sold.length} bids given back`)
  return { violations: found, sold: sold.length, givenBack: bids.length - sold.length }
}

const copyOf = (database: Database) => `${nameInStore(database)}_copy`
const because = ['--yes', '--reason', 'database restored']

/** Runs statements on the server of a stopped store, and starts the store again. */
async function whileStopped({ store }: Shop, statements: string[]) {
  await store.stop()
  const server = await startPostgres({ folder: join(store.folder, 'postgres'), durable: true })
  const client = new pg.Client({ connectionString: server.url })
  try {
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  } finally {
    await server.stop()
  }
  await store.restart()
}

type Sold = Parameters<typeof compareSold>[0]

async function endSold(store: Sold, auction: Running, price: number): Promise<string[]> {
  const { client } = auction.leader!.bidder
  await endAuction(store.folder, { itemId: auction.work._id, leaderOrder: auction.leader!.orderId })
  await waitUntil(async () => {
    const order = await client.order(auction.leader!.orderId).catch(() => undefined)
    return order?.state === 'completed'
  }, TIMEOUTS)
  return compareSold(store, auction, price)
}

/** Checks a sale from before the restore, of an auction that catalog may have lost: one charge, owned by the winner. */
async function compareCharged({ folder, chain, run }: Sold, { work, leader }: Running, price: number) {
  const { bidder, orderId } = leader!
  const { client, username, wallet } = bidder
  await waitUntil(async () => {
    const [order, item] = await Promise.all([client.order(orderId), client.item(work)])
    return order.state === 'completed' && order.captured === price && item.ownerUsername === username && !item.reserved
  }, TIMEOUTS)
  const captured = moneyOf(await datedLedger(folder), orderId).filter((entry) => entry.startsWith('captured'))
  const owner = await chain.ownerOf(work)
  return [
    ...(captured.join() === `captured ${price * 100}` ? [] : [`${orderId}: ${captured.join()}`]),
    ...(owner === (wallet ?? run.contracts.delivery) ? [] : [`${work.name} is with ${owner}`]),
  ]
}

/** Payments has these bids again, which it reads at the processor. */
const untilHeld = (bids: Bid[]) =>
  waitUntil(async () => {
    for (const { bidder, orderId } of bids) {
      const order = await bidder.client.order(orderId).catch(() => undefined)
      if (order?.state !== 'held') return undefined
    }
    return true
  }, TIMEOUTS)

const untilGivenBack = (folder: string, bids: Bid[]) =>
  waitUntil(async () => {
    const entries = await datedLedger(folder)
    return bids.every(({ orderId }) => heldFor(entries, orderId) === 0)
  }, TIMEOUTS)

const untilBalanced = (folder: string) =>
  waitUntil(async () => {
    const lines = await operate(folder, ['reconcile', 'all']).catch(() => '')
    return lines.split('\n').some((line) => line.startsWith('Balanced'))
  }, TIMEOUTS)
