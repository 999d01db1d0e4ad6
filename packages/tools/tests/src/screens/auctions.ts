import { cancelAuction, startAuction } from '@nifty/api/catalog/auctions'
import { type Auction, listNftsOfUser, type Nft, type NftDetail } from '@nifty/api/catalog/public'
import { orderNumber } from '@nifty/api/order-number'
import { listOrders, type Order } from '@nifty/api/payments/public'
import { type ApiClient, accountsOf, createApiClient, pay } from '@nifty/testkit/api-client'
import { startBid } from '@nifty/testkit/auctions'
import type { RunFile } from '@nifty/testkit/run-file'
import { apiClientOf, createUser, demoUser, type User } from '@nifty/testkit/users'
import { waitUntil } from '@nifty/testkit/wait-until'
import { itemPath } from '@nifty/testkit/works'
import type { BrowserContext, Page } from 'playwright-core'
import { press, type Screen, waveAway } from './screens.ts'

const HOUR_MS = 3_600_000
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()

type Work = { work: Nft; owner: User }

/** The works of the demo creators who can log in, with their owners. */
async function worksOfCreators(run: RunFile, visitor: ApiClient): Promise<Work[]> {
  const owners = await Promise.all(accountsOf(run, 'creator').map((_, place) => demoUser(run, 'creator', place)))
  const works = owners.map(async (owner) => {
    const { nfts } = (await visitor.send(listNftsOfUser, { params: { username: owner.username } })).body
    return nfts.filter(({ reserved }) => !reserved).map((work) => ({ work, owner }))
  })
  return (await Promise.all(works)).flat()
}

/** `startsIn`: hours until an announced start. */
async function begin(run: RunFile, { work, owner }: Work, { startsIn }: { startsIn?: number } = {}) {
  const startsAt = startsIn === undefined ? {} : { startsAt: inMs(startsIn * HOUR_MS) }
  const body = { itemId: work._id, opening: Math.max(20, work.price ?? 0), hours: 24, ...startsAt }
  const started = await apiClientOf(run, owner).send(startAuction, { body })
  return started.body.nft.auction!
}

const bidsOf = async (run: RunFile, user: User) =>
  (await apiClientOf(run, user).send(listOrders, { query: { kind: 'offers' } })).body.orders.filter(
    ({ kind }) => kind === 'bid',
  )

/**
 * Works on auction, their owners, and bidders of whom one leads, one was outbid and one is on the payment page. What an
 * earlier run left is taken again.
 */
export async function prepareAuctions(run: RunFile, { collector, bidder }: { collector: User; bidder: User }) {
  const visitor = createApiClient(run)
  const [outbid, leader, late] = [collector, bidder, await demoUser(run, 'collector', 0)]
  const works = await worksOfCreators(run, visitor)
  const free = works.filter(({ work }) => work.auction === null)
  const given = async (is: (auction: Auction) => boolean, startsIn?: number) => {
    const found = works.find(({ work: { auction } }) => auction !== null && is(auction))
    if (found) return found
    const work = free.pop()!
    await begin(run, work, { startsIn })
    return work
  }
  const announced = await given(({ startsAt }) => startsAt !== null && Date.parse(startsAt) > Date.now(), 50)
  const waiting = await given(({ endsAt }) => endsAt === null)
  // One that was for sale is for sale again, and its page names no auction.
  const [cancelled] = free.splice(
    free.findLastIndex(({ work }) => !work.forSale),
    1,
  ) as [Work]
  const { _id: id } = await begin(run, cancelled)
  await apiClientOf(run, cancelled.owner).send(cancelAuction, { params: { id } })

  const { running, lost, leading } = (await ledBefore()) ?? (await led(free.pop()!))
  const { minimum, price } = (await visitor.item(running.work)).auction!
  const open = await startBid({ client: apiClientOf(run, late), work: running.work, limit: minimum + 10 })
  const orders = { lost, leading, open: open.orderId }
  return { announced, waiting, cancelled, running, price: price!, outbid, leader, late, orders }

  async function ledBefore() {
    const [led, ended] = [await bidsOf(run, leader), await bidsOf(run, outbid)]
    for (const { _id: leading, state, auctionId } of led) {
      const running = works.find(({ work }) => state === 'held' && work.auction?._id === auctionId)
      const lost = ended.find((order) => order.auctionId === auctionId)?._id
      if (running && lost) return { running, lost, leading }
    }
    return undefined
  }

  async function led(running: Work) {
    const { work } = running
    const { opening } = await begin(run, running)
    const auction = async () => (await visitor.item(work)).auction!
    const hold = async (as: User, limit: number) => {
      const { bids } = await auction()
      const { orderId, url } = await startBid({ client: apiClientOf(run, as), work, limit })
      await pay(run, url, run.cards.approved)
      await waitUntil(async () => (await auction()).bids > bids)
      return orderId
    }
    const lost = await hold(outbid, opening)
    const leading = await hold(leader, Math.ceil(opening * 3))
    for (let others = 0; others < 4; others++) await hold(await createUser(run), (await auction()).minimum)
    return { running, lost, leading }
  }
}

type Auctions = Awaited<ReturnType<typeof prepareAuctions>>
type Changes = { auction?: Partial<Auction>; item?: Partial<NftDetail>; order?: Partial<Order> }

/** Shows a work, its auction and the bidder's orders for it as they are in a state that lasts for moments only. */
const changed =
  ({ _id, contract, identifier }: Nft, changes: Changes) =>
  async (context: BrowserContext) => {
    const isOfWork = (order: Order) => order.lines.some(({ itemId }) => itemId === _id)
    const change = (order: Order) =>
      isOfWork(order) && order.state === 'held' ? { ...order, ...changes.order } : order
    await context.route(
      ({ pathname }) => pathname.startsWith('/api/nfts/') && pathname.endsWith(`/${contract}/${identifier}`),
      async (route) => {
        const response = await route.fetch()
        const item: NftDetail = await response.json()
        const auction = item.auction && { ...item.auction, ...changes.auction }
        await route.fulfill({ response, json: { ...item, ...changes.item, auction } })
      },
    )
    await context.route(/\/api\/orders/, async (route) => {
      const response = await route.fetch()
      const body = await response.json()
      await route.fulfill({ response, json: 'orders' in body ? { orders: body.orders.map(change) } : change(body) })
    })
  }

const ended = (outcome: Auction['outcome'], why: string | null = null): Changes => ({
  auction: { outcome, why, endedAt: new Date().toISOString() },
})
async function inOffice(page: Page) {
  const menu = page.getByRole('button', { name: 'Open the navigation' })
  if (await menu.isVisible()) await menu.click()
  const navigation = page.getByRole('navigation', { name: 'Office' })
  await navigation.getByRole('link', { name: 'Auctions', exact: true }).click()
}

export function auctionScreensOf({ announced, waiting, cancelled, running, price, ...of }: Auctions): Screen[] {
  const { outbid, leader, late, orders } = of
  const [{ work, owner }, path] = [running, itemPath(running.work)]
  const closing = { auction: { endsAt: inMs(-20_000) } }
  const delivering = { auction: { outcome: 'awarded' as const }, item: { reserved: true } }
  const winners = { ...delivering, order: { state: 'delivering' as const, total: price, decideBy: null } }
  const openOffice = async (page: Page, then?: (page: Page) => Promise<unknown>) => {
    await inOffice(page)
    await page.getByRole('heading', { level: 1, name: 'Auctions' }).waitFor()
    await page.getByRole('link', { name: work.name }).first().waitFor()
    await then?.(page)
  }
  const openOne = async (page: Page) => {
    await page.getByRole('link', { name: work.name }).first().click()
    await page.getByRole('button', { name: 'Void…' }).waitFor()
  }
  return [
    { name: 'auction-announced', path: itemPath(announced.work), show: waveAway },
    { name: 'auction-announced-owner', path: itemPath(announced.work), as: announced.owner },
    { name: 'auction-waiting', path: itemPath(waiting.work), as: leader },
    { name: 'auction-waiting-owner', path: itemPath(waiting.work), as: waiting.owner },
    {
      name: 'auction-cancel',
      path: itemPath(waiting.work),
      as: waiting.owner,
      show: press('Cancel the auction'),
    },
    { name: 'auction-bid-form', path: itemPath(waiting.work), as: leader, show: press('Place a bid') },
    {
      name: 'auction-bid-refused',
      path: itemPath(waiting.work),
      as: leader,
      expects: [409],
      show: async (page) => {
        await press('Place a bid')(page)
        const form = page.getByRole('dialog')
        await form.getByLabel('The most you would pay').fill('900000')
        await form.getByRole('checkbox').check()
        await form.getByRole('button', { name: 'Bid up to' }).click()
        await form.getByRole('button', { name: 'Yes, bid up to' }).waitFor()
      },
    },
    { name: 'auction-running', path, show: waveAway },
    { name: 'auction-leads', path, as: leader },
    { name: 'auction-raise-form', path, as: leader, show: press('Raise') },
    { name: 'auction-outbid', path, as: outbid },
    { name: 'auction-page-open', path, as: late },
    { name: 'auction-confirming', path: `${path}?bid=${orders.open}`, as: late },
    { name: 'auction-running-owner', path, as: owner },
    {
      name: 'auction-last-minutes',
      path,
      as: outbid,
      prepare: changed(work, { auction: { endsAt: inMs(12 * 60_000) } }),
    },
    { name: 'auction-closing', path, show: waveAway, prepare: changed(work, closing) },
    { name: 'auction-closing-leads', path, as: leader, prepare: changed(work, closing) },
    { name: 'auction-closing-owner', path, as: owner, prepare: changed(work, closing) },
    { name: 'auction-awarded', path, as: outbid, prepare: changed(work, delivering) },
    { name: 'auction-won', path, as: leader, prepare: changed(work, winners) },
    { name: 'auction-sold', path, as: outbid, prepare: changed(work, ended('sold')) },
    { name: 'auction-unsold', path: itemPath(waiting.work), as: late, prepare: changed(waiting.work, ended('unsold')) },
    {
      name: 'auction-unsold-owner',
      path: itemPath(waiting.work),
      as: waiting.owner,
      prepare: changed(waiting.work, ended('unsold')),
    },
    { name: 'auction-failed', path, as: outbid, prepare: changed(work, ended('failed')) },
    { name: 'auction-void', path, as: outbid, prepare: changed(work, ended('void', 'moved')) },
    { name: 'auction-cancelled', path: itemPath(cancelled.work), as: leader },
    { name: 'auction-cancelled-owner', path: itemPath(cancelled.work), as: cancelled.owner },
    {
      name: 'auction-start',
      path: itemPath(cancelled.work),
      as: cancelled.owner,
      show: async (page) => {
        await press('Start an auction')(page)
        await page.getByText('At a time').click()
        await page.getByLabel('Start, in your time zone').waitFor()
      },
    },
    { name: 'auction-explore', path: '/explore-one?items=auctions' },
    { name: 'auction-home', path: '/' },
    { name: 'auction-profile', path: `/creator-profile/${owner.username}`, as: leader },
    { name: 'auction-studio', path: '/studio', as: owner },
    { name: 'auction-orders', path: '/orders?kind=offers', as: outbid },
    { name: 'auction-order-leads', path: `/orders/${orders.leading}`, as: leader },
    { name: 'auction-order-outbid', path: `/orders/${orders.lost}`, as: outbid },
    { name: 'auction-office', path: '/', office: true, show: (page) => openOffice(page) },
    { name: 'auction-office-one', path: '/', office: true, show: (page) => openOffice(page, openOne) },
    {
      name: 'auction-office-bid',
      path: '/',
      office: true,
      show: (page) =>
        openOffice(page, async () => {
          await openOne(page)
          await page.getByRole('link', { name: orderNumber(orders.leading) }).click()
          await page.getByRole('link', { name: `Auction of ${work.name}` }).waitFor()
        }),
    },
    {
      name: 'auction-office-search',
      path: '/',
      office: true,
      show: (page) =>
        openOffice(page, async () => {
          const search = page.getByRole('region', { name: 'Of a work or an account' })
          await search.getByRole('textbox').fill(owner.username)
          await search.getByRole('button', { name: 'Search' }).click()
          await search.getByRole('table').first().waitFor()
        }),
    },
    {
      name: 'auction-office-account',
      path: '/',
      office: true,
      show: (page) =>
        openOffice(page, async () => {
          await page.getByRole('link', { name: owner.username }).first().click()
          await page.getByRole('region', { name: 'Auctions started and bid in' }).getByRole('table').waitFor()
        }),
    },
    {
      name: 'auction-office-void',
      path: '/',
      office: true,
      show: (page) =>
        openOffice(page, async () => {
          await openOne(page)
          await page.getByRole('button', { name: 'Void…' }).click()
          await page.getByRole('dialog').waitFor()
        }),
    },
  ]
}
