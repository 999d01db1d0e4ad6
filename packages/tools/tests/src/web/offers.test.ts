import { setOfferMinimum } from '@nifty/api/catalog/offers'
import type { Nft } from '@nifty/api/catalog/public'
import { getFrontEndConfig } from '@nifty/api/gateway'
import { listOrders, type Order } from '@nifty/api/payments/public'
import { formatPrice } from '@nifty/api/price'
import { ledgerOf } from '@nifty/testkit/api-client'
import { phone } from '@nifty/testkit/browser'
import { apiClientOf, demoUser, type User } from '@nifty/testkit/users'
import { itemPath, workAndOwner } from '@nifty/testkit/works'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible } from './expect-accessible.ts'
import { payByCard } from './pay-by-card.ts'
import { useBrowser } from './use-browser.ts'

const { run, visit, visitor } = await useBrowser()

/** A work of a demo creator who takes offers for it. */
async function workThatTakesOffers() {
  const { work, owner } = await workAndOwner(run, visitor)
  const minimum = Math.ceil(work.price! * 0.6)
  const { contract, identifier } = work
  const { status } = await apiClientOf(run, owner).send(setOfferMinimum, {
    params: { contract, identifier },
    body: { minimum },
  })
  expect(status).toBe(200)
  return { work, owner, minimum }
}

/** Fills in the form and pays, by keyboard, until the browser is back on the page of the work. */
async function makeOffer(page: Page, euros: number) {
  await page.getByRole('button', { name: 'Make an offer' }).press('Enter')
  const form = page.getByRole('dialog', { name: 'Make an offer' })
  await form.getByLabel('Your offer in €').fill(String(euros))
  await form.getByRole('checkbox', { name: /I declare that I have read/ }).press('Space')
  await form.getByRole('button', { name: `Offer ${formatPrice(euros)}` }).press('Enter')
  await payByCard(page, run, '**/item-detail/**')
  await page.getByRole('status').filter({ hasText: 'Your card is held, not charged.' }).waitFor()
}

const own = (page: Page) => page.getByRole('region', { name: 'Your offer' })

/** The buyer's newest offer for a work. */
async function offerOf(buyer: User, work: Nft): Promise<Order> {
  const { body } = await apiClientOf(run, buyer).send(listOrders, { query: { kind: 'offers' } })
  return body.orders.find(({ lines }) => lines.some(({ itemId }) => itemId === work._id))!
}

const bookedOf = async ({ _id }: Order) =>
  (await ledgerOf(run)).entries.filter(({ reference }) => reference === _id).map(({ kind }) => kind)

test('an owner takes offers from a price on, a collector makes one by keyboard, and reads that it was declined', async () => {
  const { work, owner } = await workAndOwner(run, visitor)
  const minimum = Math.ceil(work.price! * 0.6)
  const seller = await visit(itemPath(work), { as: owner })
  await seller.getByRole('button', { name: 'Take Offers' }).press('Enter')
  await seller.getByLabel('Take offers from (in €)').fill(String(minimum))
  await seller.getByRole('button', { name: 'Take Offers' }).press('Enter')
  await seller
    .getByRole('status')
    .filter({ hasText: `You take offers from ${formatPrice(minimum)}.` })
    .waitFor()

  const collector = await demoUser(run, 'collector', 0)
  const page = await visit(itemPath(work), { as: collector })
  await makeOffer(page, minimum + 1)
  await expectAccessible(page)

  const received = seller.getByRole('region', { name: 'Offers' })
  await received.getByText(`By ${collector.username}`).waitFor({ timeout: 30_000 })
  await received.getByText(/^You get /).waitFor()
  await expectAccessible(seller)
  await received.getByRole('button', { name: 'Decline' }).press('Enter')
  const decline = seller.getByRole('button', { name: 'Decline the offer' })
  await decline.waitFor()
  await expectAccessible(seller)
  await decline.press('Enter')
  await seller.getByRole('status').filter({ hasText: 'You declined the offer' }).waitFor()
  expect(await received.getByRole('button', { name: 'Decline' }).count()).toBe(0)

  const told = own(page).getByRole('status').filter({ hasText: 'The owner declined your offer.' })
  await told.waitFor({ timeout: 30_000 })
  expect(await told.textContent()).toContain('Nothing was charged, and the hold on your card was given back.')
  await expectAccessible(page)
  expect(await bookedOf(await offerOf(collector, work))).not.toContain('captured')
  await seller.getByRole('button', { name: 'Take no more Offers' }).press('Enter')
  await page.getByRole('button', { name: 'Make an offer' }).waitFor({ state: 'hidden', timeout: 30_000 })
})

test('on a phone an amount below the minimum is refused beside its field, and an offer is withdrawn', async () => {
  const { work, minimum } = await workThatTakesOffers()
  const collector = await demoUser(run, 'collector', 1)
  const page = await visit(itemPath(work), { as: collector, viewport: phone, touch: true })
  await page.getByRole('button', { name: 'Make an offer' }).tap()
  const form = page.getByRole('dialog', { name: 'Make an offer' })
  await form.getByLabel('Your offer in €').fill(String(minimum - 1))
  await form.getByRole('checkbox', { name: /I declare that I have read/ }).check()
  await form.getByRole('button', { name: /^Offer/ }).tap()
  await form
    .getByRole('alert')
    .filter({ hasText: `At least ${formatPrice(minimum)}` })
    .waitFor()
  await expectAccessible(page)
  await form.getByRole('radio', { name: '1 day' }).check()
  await form.getByText('only if the owner accepts within 1 day', { exact: false }).waitFor()
  await form.getByLabel('Your offer in €').fill(`${minimum},50`)
  await form.getByRole('button', { name: `Offer ${formatPrice(minimum + 0.5)}` }).tap()
  await payByCard(page, run, '**/item-detail/**')
  await own(page).getByText('Your card is held, not charged.', { exact: false }).waitFor()
  await expectAccessible(page)

  await own(page).getByRole('button', { name: 'Withdraw' }).tap()
  await page.getByRole('button', { name: 'Withdraw the offer' }).tap()

  await own(page).getByRole('status').filter({ hasText: 'You withdrew your offer.' }).waitFor({ timeout: 30_000 })
  const offer = await offerOf(collector, work)
  expect(offer).toMatchObject({ state: 'released', captured: 0 })
  await page.goto('/orders?kind=offers')
  await page.getByRole('link', { name: new RegExp(`${work.name}.*Withdrawn`) }).waitFor()
  await expectAccessible(page)
})

test('the owner accepts in the studio, and the collector follows the delivery where the offer was made', async () => {
  const { work, owner, minimum } = await workThatTakesOffers()
  const collector = await demoUser(run, 'collector', 2)
  const page = await visit(itemPath(work), { as: collector })
  await makeOffer(page, minimum)

  const seller = await visit('/studio', { as: owner })
  const accept = seller.getByRole('button', { name: `Accept ${formatPrice(minimum)} for ${work.name}` })
  await accept.press('Enter')
  await seller.getByRole('button', { name: `Accept ${formatPrice(minimum)}`, exact: true }).dblclick()
  await seller
    .getByRole('status')
    .filter({ hasText: `You accepted the offer of ${formatPrice(minimum)}.` })
    .waitFor()

  await own(page).getByRole('status').filter({ hasText: 'The owner accepted your offer.' }).waitFor({ timeout: 30_000 })
  await expectAccessible(page)
  await expect.poll(async () => (await visitor.item(work)).ownerUsername, { timeout: 60_000 }).toBe(collector.username)
  await expect.poll(async () => (await offerOf(collector, work)).state, { timeout: 60_000 }).toBe('completed')
  expect(await offerOf(collector, work)).toMatchObject({ total: minimum, captured: minimum })
  await seller.reload()
  expect(await accept.count()).toBe(0)
})

test('a collector who goes back from the payment page has made no offer', async () => {
  const { work, minimum } = await workThatTakesOffers()
  const collector = await demoUser(run, 'collector', 0)
  const page = await visit(itemPath(work), { as: collector })
  await page.getByRole('button', { name: 'Make an offer' }).press('Enter')
  const form = page.getByRole('dialog', { name: 'Make an offer' })
  await form.getByLabel('Your offer in €').fill(String(minimum))
  await form.getByRole('checkbox', { name: /I declare that I have read/ }).press('Space')
  await form.getByRole('button', { name: /^Offer/ }).press('Enter')
  await page.waitForURL('**/pay/**')

  const other = await visit(itemPath(work), { as: collector })
  await own(other).getByText('Your payment page is open', { exact: false }).waitFor()
  await expectAccessible(other)
  await page.getByRole('link', { name: /back/i }).first().click()

  await own(page)
    .getByRole('status')
    .filter({ hasText: 'Nothing was held and nothing was charged.' })
    .waitFor({ timeout: 30_000 })
  await page.getByRole('button', { name: 'Make an offer' }).waitFor()
})

test('Explore shows works that take offers; a store whose operator has turned offers off shows none of it', async () => {
  const { work, owner } = await workThatTakesOffers()
  const page = await visit('/explore-one?items=offers')
  await page.getByRole('status').filter({ hasText: 'Takes offers' }).waitFor()
  await page.getByRole('link', { name: work.name, exact: true }).first().waitFor()
  await expectAccessible(page)

  const off = {
    prepare: (context: import('playwright-core').BrowserContext) =>
      context.route(`**${getFrontEndConfig.path}`, async (route) => {
        const config = await (await route.fetch()).json()
        await route.fulfill({ json: { ...config, offers: false } })
      }),
  }
  const without = await visit('/explore-one?items=offers', off)
  await without.getByRole('status').filter({ hasText: 'There are no offers yet.' }).waitFor()
  const item = await visit(itemPath(work), { ...off, as: await demoUser(run, 'collector', 0) })
  // The document has Buy Now already; this one is of the app.
  await item.getByRole('button', { name: 'Buy it as a gift' }).waitFor()
  expect(await item.getByRole('button', { name: 'Make an offer' }).count()).toBe(0)
  const seller = await visit(itemPath(work), { ...off, as: owner })
  await seller.getByRole('button', { name: 'Change Price' }).waitFor()
  expect(await seller.getByText('You take offers', { exact: false }).count()).toBe(0)
})
