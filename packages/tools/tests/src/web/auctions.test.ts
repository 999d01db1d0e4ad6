import type { Nft } from '@nifty/api/catalog/public'
import { listOrders } from '@nifty/api/payments/public'
import { formatPrice } from '@nifty/api/price'
import { endAuction } from '@nifty/chaos/campaign/auctions'
import { phone } from '@nifty/testkit/browser'
import { apiClientOf, demoUser } from '@nifty/testkit/users'
import { itemPath, workAndOwner } from '@nifty/testkit/works'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { sharedStore } from '../shared-store/shared-store.ts'
import { expectAccessible } from './expect-accessible.ts'
import { payByAskingCard, payByCard } from './pay-by-card.ts'
import { useBrowser } from './use-browser.ts'

const { run, visit, visitor } = await useBrowser()
const { folder } = await sharedStore()

const status = (page: Page, hasText: string | RegExp) => page.getByRole('status').filter({ hasText })

/** Starts an auction on the page of a work, by keyboard, from the price of the work on. */
async function startAuction(page: Page) {
  await page.getByRole('button', { name: 'Start an auction' }).press('Enter')
  const form = page.getByRole('form', { name: 'Start an auction' })
  await form.getByLabel('Hours').fill('0')
  await form.getByRole('button', { name: 'Start the auction' }).press('Enter')
  await form.getByText('A whole number from 1 to 72').waitFor()
  await form.getByLabel('Hours').fill('2')
  await form.getByText('A whole number from 1 to 72').waitFor({ state: 'detached' })
  await form.getByRole('radio', { name: 'At a time' }).press('Space')
  await form.getByLabel('Start, in your time zone').waitFor()
  await expectAccessible(page)
  await form.getByRole('radio', { name: 'With the first bid' }).press('Space')
  await form.getByRole('button', { name: 'Start the auction' }).press('Enter')
  await status(page, 'The first bid starts the clock: 2 h').waitFor()
}

async function cancelAuction(page: Page) {
  await page.getByRole('button', { name: 'Cancel the auction' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the auction' }).press('Enter')
  await page.getByRole('button', { name: 'Remove from Sale' }).waitFor()
}

const form = (page: Page, name: 'Place a bid' | 'Raise your bid') => page.getByRole('dialog', { name })

/** Fills in the open form; the terms of a former bid are accepted already. `euros`: the least bid when absent. */
async function enterBid(dialog: ReturnType<typeof form>, euros?: number) {
  const amount = dialog.getByLabel('The most you would pay, in €')
  await amount.waitFor()
  if (euros !== undefined) await amount.fill(String(euros))
  await dialog.getByRole('checkbox', { name: /I declare that I have read/ }).check()
}

const pressBid = (dialog: ReturnType<typeof form>) => dialog.getByRole('button', { name: /^Bid up to/ }).press('Enter')

/** The state of one's own bid. */
const own = (page: Page, text: string) =>
  page
    .getByRole('region', { name: 'Your bid' })
    .getByRole('status')
    .filter({ hasText: text })
    .waitFor({ timeout: 30_000 })

const back = '**/item-detail/**'

/** Leaves out the timers of polls, which take seconds. */
const withoutPolls = `
  const { setTimeout } = window
  window.setTimeout = (act, ms, ...rest) => (ms >= 2_000 ? 0 : setTimeout(act, ms, ...rest))
`

test('collectors outbid each other in an auction that was cancelled and started again, and the winner follows the delivery', async () => {
  const { work, owner } = await workAndOwner(run, visitor, ({ offers, auction }) => !offers && !auction)
  const opening = work.price!
  const [higher, most, unusual] = [2, 3, 20].map((times) => times * Math.ceil(opening + 1)) as [number, number, number]
  const seller = await visit(itemPath(work), { as: owner })
  await startAuction(seller)
  expect(await seller.getByRole('button', { name: 'Remove from Sale' }).count()).toBe(0)
  await seller.getByText('so it cannot be moved to a wallet of your own').waitFor()
  expect(await seller.getByRole('button', { name: 'Move to my wallet' }).count()).toBe(0)
  await expectAccessible(seller)
  await cancelAuction(seller)
  expect(await visitor.item(work)).toMatchObject({ forSale: true, price: opening })
  await startAuction(seller)

  const unbid = await visitor.item(work)
  const bidder = await demoUser(run, 'collector', 0)
  const first = await visit(itemPath(work), { as: bidder })
  await first.getByRole('button', { name: 'Place a bid' }).press('Enter')
  await enterBid(form(first, 'Place a bid'))
  await expectAccessible(first)
  await pressBid(form(first, 'Place a bid'))
  await payByAskingCard(first, back)
  await own(first, `You lead. Your maximum is ${formatPrice(opening)}.`)
  await first.getByText(/^Bidder 1 \(you\) leads, /).waitFor()
  await status(seller, '1 bid').waitFor({ timeout: 30_000 })
  expect(await seller.getByRole('button', { name: 'Cancel the auction' }).count()).toBe(0)
  const late = await visit(itemPath(work), {
    as: bidder,
    prepare: async (context) => {
      await context.addInitScript({ content: withoutPolls })
      // The work was read before the bid was counted, the bids afterwards.
      const path = `**/api/nfts/*/${work.contract}/${work.identifier}`
      await context.route(path, (route) => route.fulfill({ json: unbid }), { times: 1 })
    },
  })
  await own(late, 'You lead.')
  await status(late, 'Current bid').waitFor()

  const winner = await demoUser(run, 'collector', 1)
  const second = await visit(itemPath(work), { as: winner, viewport: phone, touch: true, expects: [409] })
  await second.getByText(/^Bidder 1 leads, /).waitFor()
  await second.getByRole('button', { name: 'Place a bid' }).tap()
  const bid = form(second, 'Place a bid')
  await bid.getByText(/^The least bid is .* one step of .* above the current bid\.$/).waitFor()
  await enterBid(bid, unusual)
  await pressBid(bid)
  await bid.getByRole('button', { name: `Yes, bid up to ${formatPrice(unusual)}` }).waitFor()
  await enterBid(bid, higher)
  await expectAccessible(second)
  await pressBid(bid)
  await payByCard(second, run, back)
  await own(second, `You lead. Your maximum is ${formatPrice(higher)}.`)
  await own(first, 'You were outbid, nothing was charged')
  await first.getByText(/^Bidder 2 leads, /).waitFor()
  await expectAccessible(first)

  await second.getByRole('button', { name: 'Raise' }).tap()
  const raise = form(second, 'Raise your bid')
  await raise.getByText(`your bank also holds ${formatPrice(higher)}`, { exact: false }).waitFor()
  await enterBid(raise, most)
  await pressBid(raise)
  await payByCard(second, run, back)
  await own(second, `You lead. Your maximum is ${formatPrice(most)}.`)

  const { orders } = (await apiClientOf(run, winner).send(listOrders, { query: { kind: 'offers' } })).body
  const leading = orders.find(({ state, lines }) => state === 'held' && lines[0]!.itemId === work._id)!
  const order = await visit(`/orders/${leading._id}`, { as: winner })
  await order.getByText('The auction ends', { exact: true }).waitFor()
  const soFar = formatPrice((await visitor.item(work)).auction!.price!)
  await order.getByText('Price so far').locator('..').getByText(soFar).waitFor()
  const price = (await visitor.item(work)).auction!.price!
  expect(price).toBeLessThan(higher)
  await endAuction(folder, { itemId: work._id, leaderOrder: leading._id })
  const sold = () => apiClientOf(run, winner).order(leading._id)
  await expect
    .poll(sold, { timeout: 60_000 })
    .toMatchObject({ state: 'completed', total: price, captured: price, limit: most })
  expect((await visitor.item(work)).ownerUsername).toBe(winner.username)
  await own(second, 'It is yours. Delivered to your wallet; only then was your card charged.')
  await second.waitForURL(`**/item-detail/${encodeURIComponent(winner.username)}/**`)
  const won = second.getByRole('region', { name: 'Your bid' })
  const box = (await won.boundingBox())!
  expect(box.y + box.height).toBeGreaterThan(0)
  expect(box.y).toBeLessThan(phone.height)
  await won.getByRole('link', { name: 'See it in your profile' }).waitFor()
  await expectAccessible(second)
  await second.reload()
  await second.getByText('You bought it here').waitFor({ timeout: 30_000 })
  await first.goto('/orders?kind=offers')
  await first.getByRole('link', { name: new RegExp(`${work.name}.*Outbid`) }).waitFor()
})

test('an auction that was started is in view, and Explore finds it with the opening bid', async () => {
  const { work, owner } = await workAndOwner(run, visitor)
  const seller = await visit(itemPath(work), { as: owner, viewport: phone })
  await startAuction(seller)
  const started = seller.locator('section:focus').and(seller.getByRole('region', { name: 'Your auction' }))
  await started.waitFor()
  const { y, height } = (await started.boundingBox())!
  expect(y).toBeGreaterThan(0)
  expect(y + height).toBeLessThan(phone.height)
  const page = await visit('/explore-one?items=auctions')
  const card = page.getByRole('article').filter({ hasText: work.name })
  await card.getByText(/Opening bid/).waitFor()
  const name = card.getByText(owner.username, { exact: true })
  expect(await name.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  await expectAccessible(page)

  const { auction } = await visitor.item(work)
  const narrow = await visit('/explore-one', {
    viewport: phone,
    touch: true,
    prepare: (context) =>
      context.route('**/api/nfts/market*', async (route) => {
        const response = await route.fetch()
        const { nfts, ...rest } = await response.json()
        const notForSale = nfts.map((each: Nft) => ({ ...each, forSale: false, auction: null, offers: null }))
        const changed = notForSale.map((each: Nft, place: number) => (place === 1 ? { ...each, auction } : each))
        await route.fulfill({ response, json: { ...rest, nfts: changed } })
      }),
  })
  await narrow.getByRole('article').nth(1).getByText('no bid yet').waitFor()
  for (const part of ['.item-card__name', '.item-card__owner']) {
    const tops = await narrow
      .locator(`.item-card ${part}`)
      .evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().top)))
    expect(tops.length).toBeGreaterThan(1)
    const [left, right] = [0, 1].map((column) => tops.filter((_, place) => place % 2 === column))
    expect(left!.slice(0, right!.length), part).toEqual(right)
  }
  await cancelAuction(seller)
})
