import { getNft, type Nft } from '@nifty/api/catalog/public'
import { endpointUrl } from '@nifty/api/endpoint'
import { getFrontEndConfig } from '@nifty/api/gateway'
import type { Order } from '@nifty/api/payments/public'
import { createApiClient } from '@nifty/testkit/api-client'
import { phone } from '@nifty/testkit/browser'
import { openChain } from '@nifty/testkit/chain'
import { linkInMail } from '@nifty/testkit/mailbox'
import { quickChain } from '@nifty/testkit/store'
import { createUser, demoUser } from '@nifty/testkit/users'
import { installWallet } from '@nifty/testkit/wallet'
import { availableWork, itemPath, workAndOwner } from '@nifty/testkit/works'
import { Wallet } from 'ethers'
import type { BrowserContext, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible } from './expect-accessible.ts'
import { payByCard } from './pay-by-card.ts'
import { useBrowserWithStore } from './use-browser.ts'

// A store of its own: other tests need the works of the shared one on the market.
const { run, visit, visitor } = await useBrowserWithStore({ works: 6, env: quickChain })

const connect = (page: Page) => page.getByRole('dialog', { name: 'Please Connect' })
const keep = (page: Page) => connect(page).getByRole('button', { name: 'Keep it here for me' })
const keptNote = 'Kept here for you, free of charge. You can move it to a wallet at any time, at no cost.'

async function acceptAndBuy(page: Page) {
  const terms = page.getByRole('checkbox', { name: /I declare that I have read/ })
  // Accepted terms are remembered.
  if (!(await terms.isChecked())) await terms.press('Space')
  await page.getByRole('button', { name: 'Buy Now' }).press('Enter')
}

/** From the thanks page to the work that the store now keeps, by its links. */
async function followToTheWork(page: Page, work: Nft) {
  await page.getByText('It is yours, and we keep it for you.').waitFor({ timeout: 60_000 })
  await page.getByText('The work was transferred into our custody for you.').waitFor()
  expect(await page.getByText(/your wallet/).count()).toBe(0)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'the page of the work' }).press('Enter')
  await page.getByRole('heading', { level: 1, name: work.name }).waitFor()
  await page.getByRole('heading', { name: "In the store's custody" }).waitFor({ timeout: 30_000 })
}

test('a new account without a wallet buys into custody on a desktop, and moves the work to a wallet later', async () => {
  const person = await createUser(run)
  const work = await availableWork(visitor)
  const page = await visit(itemPath(work), { as: person })
  await connect(page).getByRole('link', { name: 'Connect Metamask' }).waitFor()
  expect(await page.getByRole('link', { name: 'Open in MetaMask' }).count()).toBe(0)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await acceptAndBuy(page)
  await keep(page).press('Enter')
  await payByCard(page, run)
  await followToTheWork(page, work)
  await page.keyboard.press('Escape')
  const settings = page.getByRole('link', { name: 'link a wallet' })
  expect(await settings.getAttribute('href')).toBe(`/creator-profile-edit/${person.userId}`)
  await expectAccessible(page)

  // Withdrawals need a confirmed address.
  await page.goto(await linkInMail(run, person.email, /https?:\/\/\S+\/accept\?token=\S+/))
  await page.getByRole('heading', { level: 1, name: 'Your email is confirmed!' }).waitFor()

  const { privateKey, address } = Wallet.createRandom()
  const later = await visit('/login', {
    expects: [403],
    prepare: (context) => installWallet(context, run, { privateKey }),
  })
  await later.getByRole('main').getByLabel('Email', { exact: true }).fill(person.email)
  await later.getByLabel('Password', { exact: true }).fill(person.password)
  await later.getByRole('button', { name: 'Login' }).click()
  await later.waitForURL('**/creator-profile/**')
  // Without a reload: the log-in is the step-up with which a first wallet is trusted at once.
  await later.getByRole('button', { name: /^Account of/ }).click()
  await later.getByRole('link', { name: 'Settings', exact: true }).click()
  await later.getByRole('button', { name: 'Connect MetaMask' }).click()
  await later.getByText('MetaMask connected successfully!').waitFor()
  await later.goto(itemPath({ ...work, ownerUsername: person.username }))
  await later.getByRole('button', { name: 'Move to my wallet' }).click()
  const stepUp = later.getByRole('dialog', { name: 'Is it you?' })
  await stepUp.getByLabel('Password').fill(person.password)
  await stepUp.getByRole('button', { name: 'Confirm' }).click()
  const chain = openChain(run)
  await expect.poll(() => chain.ownerOf(work), { timeout: 60_000 }).toBe(address)
  chain.close()

  const main = later.getByRole('main')
  await main.getByText(/^It is in your wallet 0x/).waitFor({ timeout: 30_000 })
  await main.getByRole('heading', { name: 'Moved to your wallet' }).waitFor({ timeout: 30_000 })
  await main.getByText(/^You bought it here on/).waitFor()
  expect(await main.getByRole('link', { name: 'Certificate', exact: true }).getAttribute('href')).toBe(
    `/certificates/${work.contract}/${work.identifier}`,
  )
  const history = later.locator('.provenance')
  await history.getByText(`Moved to ${person.username}, out of the store's custody`).waitFor({ timeout: 30_000 })
  await history.getByText(/^Sold to .*, into the store's custody$/).waitFor()
  const [order] = (await (await createApiClient(run, person.token).call('GET', '/api/orders')).body.orders) as Order[]
  await later.goto(`/orders/${order!._id}`)
  await later.getByText('It arrived in our custody; only then was your card charged.').waitFor({ timeout: 30_000 })
  await later.getByText(/^You moved it from our custody to your wallet 0x/).waitFor()
  expect(await later.getByText(/keep it for you|kept here/i).count()).toBe(0)
  await expectAccessible(later)
  await later.goto(`/orders/${order!._id}/certificate`)
  await later.locator('.certificate__facts').getByText("In its owner's wallet").waitFor({ timeout: 30_000 })
  await later.goto(`/purchase-thanks?order=${order!._id}`)
  await later.getByText('It is in your wallet, and it is yours.').waitFor()
})

test('on a phone custody is chosen in the dialog that opens with the page, and the work is in the profile', async () => {
  const person = await createUser(run)
  const work = await availableWork(visitor)
  const page = await visit(itemPath(work), { as: person, viewport: phone, touch: true })
  const inApp = connect(page).getByRole('link', { name: 'Open in MetaMask' })
  expect(await inApp.getAttribute('href')).toBe(
    `https://metamask.app.link/dapp/${new URL(run.url).host}${encodeURI(itemPath(work))}`,
  )
  await expectAccessible(page)
  await keep(page).tap()
  await connect(page).waitFor({ state: 'hidden' })
  // The terms are not accepted yet: nothing starts.
  await page.getByText(keptNote).waitFor()
  expect(await page.getByRole('button', { name: 'Buy Now' }).isDisabled()).toBe(true)
  await expectAccessible(page)
  await acceptAndBuy(page)
  await payByCard(page, run)
  await followToTheWork(page, work)

  await page.goto(`/creator-profile/${person.username}`)
  await page.getByRole('main').getByText(work.name).first().waitFor()
  await page.goto('/orders')
  await page
    .getByRole('main')
    .getByRole('link', { name: new RegExp(work.name) })
    .press('Enter')
  await page.getByText('Kept here for you; only then was your card charged.').waitFor()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Receipt' }).press('Enter')
  await page.getByText('Our custody, for you').waitFor()
})

const withWaitingTime = (context: BrowserContext) =>
  context.route(`**${getFrontEndConfig.path}`, async (route) => {
    const response = await route.fetch()
    return route.fulfill({ response, json: { ...(await response.json()), custodyHoldHours: 24 } })
  })

test('the waiting time of a work that is bought into custody is said before the purchase', async () => {
  const person = await createUser(run)
  const page = await visit(itemPath(await availableWork(visitor)), { as: person, prepare: withWaitingTime })
  const from = 'You can move it to a wallet from 24 hours after the payment on, at no cost.'
  await connect(page).getByText(from).waitFor()
  await keep(page).press('Enter')
  await page.getByText(`Kept here for you, free of charge. ${from}`).waitFor()
})

test('its creator, who paid nothing, reads of no waiting time', async () => {
  const { work, owner: creator } = await workAndOwner(run, visitor)
  const page = await visit(itemPath(work), {
    as: creator,
    prepare: async (context) => {
      await withWaitingTime(context)
      const { contract, identifier } = work
      await context.route(
        `**${endpointUrl(getNft, { params: { username: '*', contract, identifier } })}`,
        async (route) => {
          const response = await route.fetch()
          return route.fulfill({ response, json: { ...(await response.json()), custody: true, forSale: false } })
        },
      )
    },
  })
  await page.getByRole('heading', { name: "In the store's custody" }).waitFor()
  await page
    .getByText(/^The store holds this work for you\. You can have it in .* at any time, free of charge/)
    .waitFor()
})

test('a buyer with a wallet can choose custody too, and an unfinished purchase goes on with its recipient', async () => {
  const collector = await demoUser(run, 'collector', 1)
  const work = await availableWork(visitor)
  const page = await visit(itemPath(work), { as: collector })
  await page.getByRole('button', { name: 'Keep it here instead' }).press('Enter')
  await page.getByText(keptNote).waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('Delivered to your wallet').waitFor()
  await page.keyboard.press('Enter')
  await acceptAndBuy(page)
  await page.waitForURL('**/pay/**')

  await page.goto(itemPath(work))
  await page.getByText('You have an unfinished payment for this work.').waitFor()
  await page.getByRole('link', { name: 'Continue to payment' }).press('Enter')
  await page.waitForURL('**/pay/**')
  await page.goto(itemPath(work))
  await page.getByRole('button', { name: 'Cancel purchase' }).click()
  await page.getByText('You have an unfinished payment for this work.').waitFor({ state: 'hidden' })
})

test('on a phone without a wallet the settings open in the browser of MetaMask’s app', async () => {
  const person = await createUser(run)
  const path = `/creator-profile-edit/${person.userId}`
  const page = await visit(path, { as: person, viewport: phone, touch: true })
  const link = page.getByRole('link', { name: 'Open in MetaMask' })
  expect(await link.getAttribute('href')).toBe(`https://metamask.app.link/dapp/${new URL(run.url).host}${path}`)
})
