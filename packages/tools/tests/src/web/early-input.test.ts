import type { NftDetail } from '@nifty/api/catalog/public'
import { formatPrice } from '@nifty/api/price'
import { phone } from '@nifty/testkit/browser'
import type { ContextOptions } from '@nifty/testkit/browser-context'
import { apiClientOf, createUser, demoUser } from '@nifty/testkit/users'
import { availableWork, itemPath, workAndOwner } from '@nifty/testkit/works'
import type { BrowserContext, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useBrowser } from './use-browser.ts'

const { run, visit, visitor } = await useBrowser()

/** A page whose app starts when `start` is called: until then the document is all there is. */
async function openDocument(path: string, options: ContextOptions = {}) {
  const { promise, resolve: start } = Promise.withResolvers<void>()
  const page = await visit('/robots.txt', {
    ...options,
    withoutApp: true,
    prepare: async (context) => {
      await options.prepare?.(context)
      await context.route(/\/assets\/(?!start-)[^/]+\.js$/, (route) => promise.then(() => route.continue()))
    },
  })
  await page.goto(path, { waitUntil: 'commit' })
  await page.locator('[data-early] main').waitFor()
  // Its script has run before anything of it is painted.
  await expect.poll(() => page.evaluate('typeof replayEarlyInput')).toBe('function')
  return { page, start }
}

const terms = (page: Page) => page.getByRole('checkbox', { name: /I declare that I have read/ })
const buy = (page: Page) => page.getByRole('button', { name: 'Buy Now' })
const connect = (page: Page) => page.getByRole('dialog', { name: 'Please Connect' })
const started = (page: Page) => page.locator('#content').waitFor()

/** Aborts the requests of purchases. Returns a function that counts them. */
async function abortPurchases(page: Page) {
  let purchases = 0
  await page.route('**/api/nfts/test', (route) => {
    purchases++
    return route.abort()
  })
  return () => purchases
}

/** Changes what the app is told of a work, which its document does not show. */
const changeItems = (context: BrowserContext, changesOf: (item: NftDetail) => Partial<NftDetail>) =>
  context.route('**/api/nfts/%40*/**', async (route) => {
    const response = await route.fetch()
    const item: NftDetail = await response.json()
    await route.fulfill({ response, json: { ...item, ...changesOf(item) } })
  })

test('before the app has started a phone shows artist, price, owner and menu, and Buy Now is answered', async () => {
  const work = await availableWork(visitor)
  const { page, start } = await openDocument(itemPath(work), { viewport: phone })
  const { creator, owner } = await visitor.item(work)
  await page.getByText(formatPrice(work.price!)).first().waitFor()
  for (const person of [creator!, owner!])
    await page
      .getByRole('link', { name: `${person.firstName} ${person.lastName}` })
      .first()
      .waitFor()
  await page.getByText('About this work').waitFor()

  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Creators' }).waitFor()
  expect(await page.getByRole('button', { name: 'Open menu' }).getAttribute('aria-expanded')).toBe('true')
  await page.getByRole('button', { name: 'Open menu' }).click()
  expect(await page.getByRole('navigation', { name: 'Main' }).isVisible()).toBe(false)

  expect(await buy(page).isDisabled()).toBe(true)
  await terms(page).check()
  await buy(page).click()
  const text = 'To access this feature, you need to log in.'
  await connect(page).getByText(text).waitFor()
  start()
  await started(page)
  // The dialog of the app takes the place of the document's.
  await page.locator('[data-connect]').waitFor({ state: 'detached' })
  await connect(page).getByText(text).waitFor()
  await connect(page).getByRole('button', { name: 'Just looking' }).click()
  await connect(page).waitFor({ state: 'hidden' })
  expect(await terms(page).isChecked()).toBe(true)
  expect(await page.getByRole('button', { name: 'Open menu' }).getAttribute('aria-expanded')).toBe('false')
})

test('the dialog of an early Buy Now leads to the log-in, which leads back to the work with its terms accepted', async () => {
  const person = await createUser(run)
  const work = await availableWork(visitor)
  const { page, start } = await openDocument(itemPath(work))
  await terms(page).check()
  await buy(page).click()
  await connect(page).getByRole('link', { name: 'Login' }).click()
  await page.waitForURL('**/login', { waitUntil: 'commit' })
  start()
  const main = page.getByRole('main')
  await main.getByLabel('Email', { exact: true }).fill(person.email)
  await main.getByLabel('Password', { exact: true }).fill(person.password)
  await main.getByRole('button', { name: 'Login', exact: true }).click()
  await page.waitForURL('**/creator-profile/**')
  const card = page.getByRole('region', { name: 'Continue where you were' })
  await card.getByText(work.name).waitFor()
  await card.getByRole('link', { name: 'Continue' }).click()
  await page.getByRole('heading', { level: 1, name: work.name }).waitFor()
  // Once the version of the terms in force is loaded.
  await expect.poll(() => terms(page).isChecked()).toBe(true)
})

test.each(['Just looking', 'Close', 'Escape'])(
  'a dialog that was closed before the app by %s does not open again, unless Buy Now is pressed',
  async (how) => {
    const { page, start } = await openDocument(itemPath(await availableWork(visitor)))
    await terms(page).check()
    await buy(page).click()
    if (how === 'Escape') await page.keyboard.press('Escape')
    else await connect(page).getByRole('button', { name: how }).click()
    await connect(page).waitFor({ state: 'hidden' })
    await buy(page).click()
    await connect(page).waitFor()
    await page.keyboard.press('Escape')
    await connect(page).waitFor({ state: 'hidden' })
    start()
    await started(page)
    await page.getByRole('button', { name: 'Share' }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(await connect(page).count()).toBe(0)
    expect(await terms(page).isChecked()).toBe(true)
    await buy(page).click()
    await connect(page).waitFor()
  },
)

test('a menu that was opened before the app stays open', async () => {
  const { page, start } = await openDocument('/', { viewport: phone })
  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Explore' }).waitFor()
  start()
  await started(page)
  await page.getByRole('button', { name: 'Close menu' }).waitFor()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Explore' }).click()
  await page.getByRole('heading', { level: 1, name: 'Explore Items' }).waitFor()
})

test('a buyer who pressed Buy Now early comes to the payment page', async () => {
  const buyer = await demoUser(run, 'collector', 1)
  const work = await availableWork(visitor)
  const { page, start } = await openDocument(itemPath(work), { as: buyer })
  await expect.poll(() => page.getByRole('link', { name: 'Login' }).isVisible()).toBe(false)
  await terms(page).check()
  await buy(page).click()
  start()
  await page.waitForURL('**/pay/**')
  const orders = await apiClientOf(run, buyer).call('GET', '/api/orders')
  await apiClientOf(run, buyer).cancel(orders.body.orders[0]._id)
})

test('nothing is bought at another price than the one that was shown', async () => {
  const buyer = await demoUser(run, 'collector', 1)
  const work = await availableWork(visitor)
  const { page, start } = await openDocument(itemPath(work), {
    as: buyer,
    prepare: (context) => changeItems(context, () => ({ price: work.price! + 1 })),
  })
  const purchases = await abortPurchases(page)
  await terms(page).check()
  await buy(page).click()
  start()
  await started(page)
  await page
    .getByText(formatPrice(work.price! + 1))
    .first()
    .waitFor()
  await page.getByRole('button', { name: /^Account of/ }).waitFor()
  await buy(page).waitFor()
  await page.waitForLoadState('networkidle')
  expect(purchases()).toBe(0)
})

test('a Buy Now that the page could not repeat is not repeated on another page of the same price', async () => {
  const buyer = await demoUser(run, 'collector', 1)
  const work = await availableWork(visitor)
  const other = await availableWork(visitor, ({ _id }) => _id !== work._id)
  const { page, start } = await openDocument(itemPath(work), {
    as: buyer,
    // The first work is sold.
    prepare: (context) => changeItems(context, ({ _id }) => ({ price: work.price, forSale: _id !== work._id })),
  })
  const purchases = await abortPurchases(page)
  await terms(page).check()
  await buy(page).click()
  start()
  await started(page)
  await page.getByText('NOT FOR SALE', { exact: true }).waitFor()
  const path = JSON.stringify(itemPath(other))
  await page.evaluate(`history.pushState(null, '', ${path}); dispatchEvent(new PopStateEvent('popstate'))`)
  await page.getByRole('heading', { level: 1, name: other.name }).waitFor()
  await buy(page).waitFor()
  await page.waitForLoadState('networkidle')
  expect(await terms(page).isChecked()).toBe(false)
  expect(purchases()).toBe(0)
})

test('terms that are declined again take back the press of Buy Now', async () => {
  const buyer = await demoUser(run, 'collector', 1)
  const { page, start } = await openDocument(itemPath(await availableWork(visitor)), { as: buyer })
  const purchases = await abortPurchases(page)
  await terms(page).check()
  await buy(page).click()
  await page.getByText('One moment...').waitFor()
  await terms(page).uncheck()
  await buy(page).waitFor()
  start()
  await started(page)
  await page.getByRole('button', { name: /^Account of/ }).waitFor()
  await terms(page).check()
  await page.waitForLoadState('networkidle')
  expect(await buy(page).isEnabled()).toBe(true)
  expect(purchases()).toBe(0)
})

test('an owner sees no Buy Now of an own work, also before the app', async () => {
  const { work, owner } = await workAndOwner(run, visitor)
  const { page, start } = await openDocument(itemPath(work), { as: owner })
  await page.getByRole('heading', { level: 1, name: work.name }).waitFor()
  await expect.poll(() => buy(page).isVisible()).toBe(false)
  start()
  await page.getByText('Current Price').waitFor()
})

test('the full screen view and a search that began before the app are continued', async () => {
  const work = await availableWork(visitor)
  const item = await openDocument(itemPath(work), { as: await demoUser(run, 'collector', 1) })
  await item.page.getByRole('button', { name: 'View full screen' }).click()
  item.start()
  await item.page.getByRole('dialog', { name: work.name }).waitFor()

  const explore = await openDocument('/explore-one')
  await explore.page.getByRole('link', { name: /./ }).and(explore.page.locator('main h3 a')).first().waitFor()
  await explore.page.getByRole('searchbox', { name: 'Search', exact: true }).fill(work.name)
  explore.start()
  await explore.page.waitForURL(/[?&]search=/)
  expect(await explore.page.getByRole('searchbox', { name: 'Search', exact: true }).inputValue()).toBe(work.name)
})
