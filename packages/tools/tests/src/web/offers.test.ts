import { listReceivedOffers, setOfferMinimum } from '@nifty/api/catalog/offers'
import type { Nft } from '@nifty/api/catalog/public'
import { endpointUrl } from '@nifty/api/endpoint'
import { getFrontEndConfig } from '@nifty/api/gateway'
import { getOrder, listOrders, type Order } from '@nifty/api/payments/public'
import { formatPrice } from '@nifty/api/price'
import { ledgerOf } from '@nifty/testkit/api-client'
import { phone } from '@nifty/testkit/browser'
import { holdOffer } from '@nifty/testkit/offers'
import { apiClientOf, createUser, demoUser, type User } from '@nifty/testkit/users'
import { waitUntil } from '@nifty/testkit/wait-until'
import { itemPath, workAndOwner } from '@nifty/testkit/works'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible } from './expect-accessible.ts'
import { declineCard, payByCard } from './pay-by-card.ts'
import { stepUpOn } from './step-up.ts'
import { useBrowser } from './use-browser.ts'

const { run, visit, visitor } = await useBrowser()

/** A work of a demo creator who takes offers for it from a share of its price on. */
async function workThatTakesOffers(share = 0.6) {
  const { work, owner } = await workAndOwner(run, visitor, ({ offers }) => !offers)
  const minimum = Math.ceil(work.price! * share)
  const { contract, identifier } = work
  const { status } = await apiClientOf(run, owner).send(setOfferMinimum, {
    params: { contract, identifier },
    body: { minimum },
  })
  expect(status).toBe(200)
  return { work, owner, minimum }
}

/** Fills in the form by keyboard, which leads to the payment page. */
async function startOffer(page: Page, euros: number) {
  await page.getByRole('button', { name: 'Make an offer' }).press('Enter')
  const form = page.getByRole('dialog', { name: 'Make an offer' })
  await form.getByLabel('Your offer in €').fill(String(euros))
  await form.getByRole('checkbox', { name: /I declare that I have read/ }).press('Space')
  await form.getByRole('button', { name: `Offer ${formatPrice(euros)}` }).press('Enter')
}

/** An offer of a new account, made over HTTP: its card is held. */
async function givenOffer(owner: User, work: Nft, price: number) {
  const buyer = await createUser(run)
  const client = apiClientOf(run, buyer)
  const { orderId } = await holdOffer(run, apiClientOf(run, owner), { client, work, price })
  return { buyer, client, orderId }
}

const buttonOf = (page: Page, what: 'Accept' | 'Decline', price: number, state: { disabled?: boolean } = {}) =>
  page
    .getByRole('region', { name: 'Offers' })
    .getByRole('button', { name: `${what} ${formatPrice(price)}`, disabled: false, ...state })

/** Asks to accept or decline the offer of a price, and returns the button that confirms it. */
async function ask(page: Page, what: 'Accept' | 'Decline', price: number) {
  await buttonOf(page, what, price).press('Enter')
  const confirm = page.getByRole('dialog').getByRole('button', { name: new RegExp(`^${what} `) })
  await confirm.waitFor()
  return confirm
}
const told = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text }).waitFor()

const own = (page: Page) => page.getByRole('region', { name: 'Your offer' })

/** The buyer's newest offer for a work. */
async function offerOf(buyer: User, work: Nft): Promise<Order> {
  const { body } = await apiClientOf(run, buyer).send(listOrders, { query: { kind: 'offers' } })
  return body.orders.find(({ lines }) => lines.some(({ itemId }) => itemId === work._id))!
}

const bookedOf = async ({ _id }: Order) =>
  (await ledgerOf(run)).entries.filter(({ reference }) => reference === _id).map(({ kind }) => kind)

test('an owner takes offers from an unusual price on, a collector makes one by keyboard, and reads that it was declined', async () => {
  const { work, owner } = await workAndOwner(run, visitor, ({ offers }) => !offers)
  const minimum = Math.ceil(work.price! * 0.4)
  const seller = await visit(itemPath(work), { as: owner, expects: [403] })
  await seller.getByRole('button', { name: 'Take Offers' }).press('Enter')
  await seller.getByLabel('Take offers from (in €)').fill(String(minimum))
  await seller.getByRole('button', { name: 'Take Offers' }).press('Enter')
  await stepUpOn(seller, owner.password)
  await told(seller, `You take offers from ${formatPrice(minimum)}.`)

  const collector = await demoUser(run, 'collector', 0)
  const page = await visit(itemPath(work), { as: collector, expects: [402] })
  await startOffer(page, minimum + 1)
  await declineCard(page, run)
  await payByCard(page, run, '**/item-detail/**')
  await told(page, 'Your card is held, not charged.')
  await expectAccessible(page)

  const received = seller.getByRole('region', { name: 'Offers' })
  await received.getByText(`By ${collector.username}`).waitFor({ timeout: 30_000 })
  await received.getByText(/^You get /).waitFor()
  await expectAccessible(seller)
  const decline = await ask(seller, 'Decline', minimum + 1)
  await expectAccessible(seller)
  await decline.press('Enter')
  await told(seller, 'You declined the offer')
  expect(await received.getByRole('button', { name: 'Decline' }).count()).toBe(0)

  const ended = own(page).getByRole('status').filter({ hasText: 'The owner declined your offer.' })
  await ended.waitFor({ timeout: 30_000 })
  expect(await ended.textContent()).toContain('Nothing was charged, and the hold on your card is given back.')
  await expectAccessible(page)
  expect(await bookedOf(await offerOf(collector, work))).not.toContain('captured')
  await seller.getByRole('button', { name: 'Take no more Offers' }).press('Enter')
  await page.getByRole('button', { name: 'Make an offer' }).waitFor({ state: 'hidden', timeout: 30_000 })
})

test('on a phone an offer is not made by who goes back, is refused below the minimum, and is withdrawn', async () => {
  const { work, minimum } = await workThatTakesOffers()
  const collector = await demoUser(run, 'collector', 1)
  const page = await visit(itemPath(work), { as: collector, viewport: phone, touch: true, expects: [402] })
  await startOffer(page, minimum)
  await declineCard(page, run)
  const other = await visit(itemPath(work), { as: collector })
  const openPage = own(other).getByRole('status').filter({ hasText: 'Your payment page is open' })
  await openPage.waitFor()
  expect(await openPage.textContent()).toContain('Your card was declined.')
  await expectAccessible(other)
  await page.getByRole('link', { name: /back/i }).first().click()
  await own(page)
    .getByRole('status')
    .filter({ hasText: 'Nothing was held and nothing was charged.' })
    .waitFor({ timeout: 30_000 })

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
  const held = own(page).getByText('Your card is held, not charged.', { exact: false })
  await held.waitFor()
  const { y } = (await held.boundingBox())!
  expect(y).toBeGreaterThan(0)
  expect(y).toBeLessThan(phone.height)
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

/** The order is shown as if its work had not arrived: the real one may arrive between two polls of the page. */
const keepUnderDelivery = (page: Page, orderId: string) =>
  page.route(endpointUrl(getOrder, { params: { id: orderId } }), async (route) => {
    const response = await route.fetch()
    const order: Order = await response.json()
    const lines = order.lines.map((line) => ({ ...line, state: 'authorised' }))
    const underDelivery = { ...order, state: 'authorised', captured: 0, lines }
    await route.fulfill({ response, json: order.state === 'held' ? order : underDelivery })
  })

/** The page of its owner has the work and the accepted offer as if the work had not arrived at its buyer. */
async function keepAccepted(page: Page, { work, owner, orderId }: { work: Nft; owner: User; orderId: string }) {
  const unsold = await visitor.item(work)
  const { body } = await apiClientOf(run, owner).send(listReceivedOffers, {})
  const accepted = { ...body.offers.find((offer) => offer.orderId === orderId)!, state: 'accepted' }
  await page.route(`**/api/nfts/*/${work.contract}/${work.identifier}`, (route) => route.fulfill({ json: unsold }))
  await page.route(`**${listReceivedOffers.path}`, (route) => route.fulfill({ json: { offers: [accepted] } }))
}

test('the owner reads why an offer cannot be accepted or declined, accepts one in the studio, and its buyer follows it', async () => {
  const { work, owner, minimum } = await workThatTakesOffers()
  const [price, lower] = [minimum + 1, minimum]
  const accepted = await givenOffer(owner, work, price)
  const withdrawn = await givenOffer(owner, work, lower)
  const seller = await visit('/studio', { as: owner, expects: [409] })
  const other = await visit(itemPath(work), { as: owner, expects: [409] })
  const page = await visit(itemPath(work), { as: accepted.buyer })
  const rows = seller.getByRole('button', { name: `Accept ${formatPrice(lower)} for ${work.name}` })

  await page.getByRole('dialog', { name: 'Please Connect' }).press('Escape')
  await own(page).waitFor()
  await page.evaluate('scrollTo(0, 120)')
  await keepUnderDelivery(page, accepted.orderId)

  const early = await ask(seller, 'Accept', price)
  await seller.getByRole('dialog').getByText('The other offer for it ends then').waitFor()
  const { body } = await withdrawn.client.buy(work, 'custody')
  await early.press('Enter')
  await told(seller, 'Somebody is paying for this work right now.')
  await buttonOf(seller, 'Accept', lower, { disabled: true }).waitFor()
  await withdrawn.client.cancel(body.orderId)
  await waitUntil(async () => !(await visitor.item(work)).reserved)

  const late = await ask(seller, 'Accept', lower)
  await withdrawn.client.cancel(withdrawn.orderId)
  await late.press('Enter')
  await told(seller, 'The buyer withdrew this offer.')
  expect(await rows.count()).toBe(0)

  const tooLate = await ask(other, 'Decline', price)
  await keepAccepted(other, { work, owner, orderId: accepted.orderId })
  await (await ask(seller, 'Accept', price)).dblclick()
  await told(seller, `You accepted the offer of ${formatPrice(price)}.`)
  await tooLate.press('Enter')
  await told(other, 'You have accepted this offer already, so it cannot be declined.')
  await told(other, 'Accepted: the work is being delivered.')

  await own(page).getByRole('status').filter({ hasText: 'The owner accepted your offer.' }).waitFor({ timeout: 30_000 })
  await expectAccessible(page)
  await page.unrouteAll({ behavior: 'wait' })
  await expect.poll(async () => (await offerOf(accepted.buyer, work)).state, { timeout: 60_000 }).toBe('completed')
  expect(await offerOf(accepted.buyer, work)).toMatchObject({ total: price, captured: price })
  await expect
    .poll(async () => (await visitor.item(work)).ownerUsername, { timeout: 60_000 })
    .toBe(accepted.buyer.username)
  await own(page)
    .getByRole('status')
    .filter({ hasText: 'It is yours. Kept here for you; only then was your card charged.' })
    .waitFor({ timeout: 30_000 })
  await page.waitForURL(`**/item-detail/${encodeURIComponent(accepted.buyer.username)}/**`)
  await own(page).getByRole('link', { name: 'See it in your profile' }).waitFor()
  expect(await page.evaluate<number>('scrollY')).toBeGreaterThan(0)
  await expectAccessible(page)
  await own(page).getByRole('link', { name: 'Your order' }).press('Enter')
  await page.waitForURL(`**/orders/${accepted.orderId}`)
  await page.getByText('The owner accepted your offer.').waitFor()
  await page.getByText('Only now was your card charged.').waitFor()
  await expectAccessible(page)
})

test('an owner accepts an offer far below the price only with the password', async () => {
  const { work, owner, minimum } = await workThatTakesOffers(0.3)
  const { buyer } = await givenOffer(owner, work, minimum)
  const seller = await visit(itemPath(work), { as: owner, expects: [403] })

  await (await ask(seller, 'Accept', minimum)).press('Enter')
  await seller.getByRole('dialog', { name: 'Is it you?' }).getByLabel('Password').press('Escape')
  await told(seller, 'You have not confirmed that it is you, so the offer is not accepted. It stays open.')
  expect(await offerOf(buyer, work)).toMatchObject({ state: 'held' })

  await (await ask(seller, 'Accept', minimum)).press('Enter')
  await stepUpOn(seller, owner.password)
  await told(seller, `You accepted the offer of ${formatPrice(minimum)}.`)
  await expect.poll(async () => (await offerOf(buyer, work)).state, { timeout: 60_000 }).toBe('completed')
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
