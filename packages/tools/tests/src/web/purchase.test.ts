import type { Nft } from '@nifty/api/catalog/public'
import { accountsOf, createApiClient, ledgerOf, logIn } from '@nifty/testkit/api-client'
import { desktop, openBrowser, openPage, phone } from '@nifty/testkit/browser'
import { openChain } from '@nifty/testkit/chain'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { sharedStore } from '../shared-store/shared-store.ts'

const { run } = await sharedStore()
let browser: Browser

beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser?.close())

const collector = (place: number) => accountsOf(run, 'collector')[place]!

async function availableWork(): Promise<Nft> {
  const works = await createApiClient(run).market()
  return works.find(({ forSale, reserved }) => forSale && !reserved)!
}

async function logInOnPage(page: Page, { email, password }: { email: string; password: string }) {
  await page.goto('/login')
  await page.getByRole('main').getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.waitForURL('**/creator-profile/**')
}

/** Declines all optional cookies. */
async function rejectCookies(page: Page) {
  await page.goto('/')
  await page.getByRole('button', { name: 'Reject All' }).click()
}

async function openItem(page: Page, { ownerUsername, contract, identifier }: Nft) {
  await page.goto(`/item-detail/${ownerUsername}/${contract}/${identifier}`)
}

const newestOrder = async (account: ReturnType<typeof collector>): Promise<string> =>
  (await (await logIn(run, account)).call('GET', '/api/orders')).body.orders[0]._id

/** What the card sandbox has booked for an order, oldest first. */
const ledgerKindsOf = async (orderId: string) =>
  (await ledgerOf(run)).entries.filter(({ reference }) => reference === orderId).map(({ kind }) => kind)

async function fillCard(page: Page, number: string, { email }: ReturnType<typeof collector>) {
  await page.waitForURL('**/pay/**')
  expect(await page.getByLabel('Email').inputValue()).toBe(email)
  await page.getByLabel('Card number').fill(number)
  await page.getByLabel('Expiry').fill('12 / 34')
  await page.getByLabel('CVC').fill('123')
  await page.getByLabel('Name on card').fill('A Collector')
  await page.getByRole('button', { name: /^Pay / }).click()
}

test.each([
  ['a desktop', desktop, 0],
  ['a phone', phone, 1],
])(
  'on %s a collector buys a work by card, sees it arrive, and owns it on the chain',
  async (_device, viewport, place) => {
    const { page, context, consoleErrors } = await openPage(browser, { baseURL: run.url, viewport })
    await rejectCookies(page)
    await logInOnPage(page, collector(place))
    const work = await availableWork()
    await openItem(page, work)
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe(work.name)

    const buy = page.getByRole('button', { name: /Buy Now/ }).filter({ visible: true })
    expect(await buy.isDisabled()).toBe(true)
    await page
      .getByRole('checkbox', { name: /I declare that I have read/ })
      .filter({ visible: true })
      .check()
    await buy.click()
    await fillCard(page, run.cards.approved, collector(place))

    await page.waitForURL('**/purchase-thanks**')
    await page.getByRole('heading', { name: 'Thanks for Your Purchase!' }).waitFor()
    const chain = openChain(run)
    await vi.waitUntil(async () => (await chain.ownerOf(work)) === collector(place).wallet.address, { timeout: 60_000 })
    chain.close()
    await vi.waitUntil(
      async () => (await createApiClient(run).item(work)).ownerUsername === collector(place).username,
      {
        timeout: 60_000,
      },
    )
    const orders = await (await logIn(run, collector(place))).call('GET', '/api/orders')
    await vi.waitUntil(
      async () => (await (await logIn(run, collector(place))).order(orders.body.orders[0]._id)).state === 'completed',
      { timeout: 60_000 },
    )
    expect(consoleErrors).toEqual([])
    await context.close()
  },
)

test('a declined card is reported on the same page and holds nothing, and another card pays', async () => {
  const { page, context } = await openPage(browser, { baseURL: run.url })
  await rejectCookies(page)
  await logInOnPage(page, collector(2))
  await openItem(page, await availableWork())
  await page
    .getByRole('checkbox', { name: /I declare that I have read/ })
    .filter({ visible: true })
    .check()
  await page
    .getByRole('button', { name: /Buy Now/ })
    .filter({ visible: true })
    .click()
  await fillCard(page, run.cards.declined, collector(2))
  await page
    .getByText(/declined/i)
    .first()
    .waitFor()
  expect(await ledgerKindsOf(await newestOrder(collector(2)))).toEqual(['session_created', 'declined'])
  await fillCard(page, run.cards.approved, collector(2))
  await page.waitForURL('**/purchase-thanks**')
  expect(await ledgerKindsOf(await newestOrder(collector(2)))).toContain('held')
  await context.close()
})

test('going back from the payment page frees the work', async () => {
  const { page, context } = await openPage(browser, { baseURL: run.url })
  await rejectCookies(page)
  await logInOnPage(page, collector(2))
  const work = await availableWork()
  await openItem(page, work)
  await page
    .getByRole('checkbox', { name: /I declare that I have read/ })
    .filter({ visible: true })
    .check()
  await page
    .getByRole('button', { name: /Buy Now/ })
    .filter({ visible: true })
    .click()
  await page.waitForURL('**/pay/**')
  expect((await createApiClient(run).item(work)).reserved).toBe(true)
  await page.getByRole('link', { name: /back/i }).first().click()
  await page.getByRole('heading', { name: 'Nothing was charged' }).waitFor()
  await vi.waitUntil(async () => !(await createApiClient(run).item(work)).reserved, { timeout: 30_000 })
  await context.close()
})

test('a visitor who is not logged in gets the log-in dialog and can dismiss it', async () => {
  const { page, context, consoleErrors } = await openPage(browser, { baseURL: run.url })
  await rejectCookies(page)
  await openItem(page, await availableWork())
  const dialog = page.getByRole('dialog', { name: 'Please Connect' })
  await dialog.getByText('To access this feature, you need to log in.').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  // A dialog that opened by itself has no control to return the focus to.
  expect(await page.evaluate('document.activeElement.tagName')).toBe('H1')
  await page.reload()
  await dialog.getByRole('button', { name: 'Just looking' }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect(consoleErrors).toEqual([])
  await context.close()
})
