import { pay, untilOrder } from '@nifty/testkit/api-client'
import { apiClientOf, createUser, demoUser } from '@nifty/testkit/users'
import { availableWork } from '@nifty/testkit/works'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { goOffline, goOnline, offlineMessage } from './offline.ts'
import { useBrowser } from './use-browser.ts'

const { run, visit, visitor } = await useBrowser()

const title = (page: Page, name: string) => page.getByRole('main').getByRole('heading', { level: 1, name })

const openFromHeader = (page: Page, link: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: link }).click()

async function openFromMenu(page: Page, link: string) {
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.locator('#account-menu').getByRole('link', { name: link, exact: true }).click()
}

test.each(['/orders/:id', '/purchase-thanks?order=:id'])(
  '%s keeps what it shows while offline, and shows the end of the purchase after that without a reload',
  async (path) => {
    const collector = await demoUser(run, 'collector', 2)
    const client = apiClientOf(run, collector)
    const { body } = await client.buy(await availableWork(visitor))
    const page = await visit(path.replace(':id', body.orderId), { as: collector, expects: ['no response'] })
    const before = path.startsWith('/orders') ? 'Waiting for your payment' : 'Your bank is confirming'
    const after = path.startsWith('/orders') ? 'It is yours' : 'Thanks for Your Purchase!'
    let documents = 0
    page.on('request', (request) => {
      if (request.isNavigationRequest()) documents++
    })
    await title(page, before).waitFor()
    await goOffline(page)
    await pay(run, body.url, run.cards.approved)
    await untilOrder(client, body.orderId, 'completed')
    await title(page, before).waitFor()

    await goOnline(page)
    await title(page, after).waitFor()
    await page.getByRole('link', { name: 'Certificate' }).waitFor()
    expect(documents).toBe(0)
  },
)

test('an order that cannot be loaded offline is named, and is there when the connection is back', async () => {
  const collector = await demoUser(run, 'collector', 2)
  const client = apiClientOf(run, collector)
  const { body } = await client.buy(await availableWork(visitor))
  const page = await visit('/orders', { as: collector, expects: ['no response'] })
  const row = page.getByRole('main').locator(`a[href="/orders/${body.orderId}"]`)
  await row.waitFor()
  await goOffline(page)
  await row.click()
  await title(page, 'This order could not be loaded').waitFor()
  await page.getByRole('button', { name: 'Try again' }).click()
  await title(page, 'This order could not be loaded').waitFor()
  await goOnline(page)
  await title(page, 'Waiting for your payment').waitFor()
  await client.cancel(body.orderId)
})

test('studio, favourites, notices and profile that were open before show what they had while offline', async () => {
  const creator = await demoUser(run, 'creator')
  const work = await availableWork(visitor)
  await apiClientOf(run, creator).call('PUT', `/api/favourites/${work._id}`)
  const page = await visit('/studio', { as: creator, expects: ['no response'] })
  const main = page.getByRole('main')
  const ownWork = main.getByRole('region', { name: 'Your works' }).getByRole('listitem').first()
  await ownWork.waitFor()
  await openFromMenu(page, 'Favourites')
  await main.getByRole('article').filter({ hasText: work.name }).first().waitFor()
  await openFromMenu(page, 'Profile')
  // The page before has works, too.
  await main.getByRole('heading', { level: 1 }).filter({ hasNotText: 'Favourites' }).waitFor()
  await main.getByRole('article').first().waitFor()
  await page.getByRole('button', { name: /^Notices/ }).click()
  await page
    .getByRole('region', { name: 'Notices' })
    .getByText(/Nothing new yet|·|costs|sold/)
    .first()
    .waitFor()
  await page.keyboard.press('Escape')

  await goOffline(page)
  await openFromMenu(page, 'Favourites')
  await main.getByRole('article').filter({ hasText: work.name }).first().waitFor()
  await main
    .getByRole('button', { name: `Favourite: ${work.name}` })
    .first()
    .click()
  await page.getByRole('region', { name: 'Messages' }).getByText('Something went wrong. Please try again.').waitFor()
  await main.getByRole('article').filter({ hasText: work.name }).first().waitFor()
  await page.getByRole('button', { name: /^Notices/ }).click()
  expect(await page.getByRole('region', { name: 'Notices' }).getByText('could not be loaded').count()).toBe(0)
  await page.keyboard.press('Escape')
  await openFromMenu(page, 'Profile')
  await main.getByRole('article').first().waitFor()
  await openFromMenu(page, 'Studio')
  await ownWork.waitFor()
  await ownWork.getByRole('button', { name: /^Manage/ }).click()
  await page.getByRole('dialog').getByRole('button').first().waitFor()
  await page.keyboard.press('Escape')
  await main.getByLabel('Name', { exact: true }).fill('Typed while offline')
  await goOnline(page)
  await page.waitForLoadState('networkidle')
  expect(await main.getByLabel('Name', { exact: true }).inputValue()).toBe('Typed while offline')
  await apiClientOf(run, creator).call('DELETE', `/api/favourites/${work._id}`)
})

test('the works of a studio and of a profile that could not be loaded are named, and can be tried again', async () => {
  const creator = await demoUser(run, 'creator')
  const works = '**/api/nfts/user/**'
  const page = await visit('/studio', {
    as: creator,
    expects: ['no response'],
    prepare: (context) => context.route(works, (route) => route.abort()),
  })
  const main = page.getByRole('main')
  const region = main.getByRole('region', { name: 'Your works' })
  await region.getByText('Your works could not be loaded.').waitFor()
  await page.context().unroute(works)
  await region.getByRole('button', { name: 'Try again' }).click()
  await region.getByRole('listitem').first().waitFor()

  await page.context().route(works, (route) => route.abort())
  await page.goto(`/creator-profile/${creator.username}`)
  await main.getByRole('region', { name: 'Discover Items' }).getByRole('button', { name: 'Try again' }).waitFor()
  await page.context().unroute(works)
  await main.getByRole('button', { name: 'Try again' }).click()
  await main.getByRole('article').first().waitFor()
})

test('a profile, favourites and notices that cannot be loaded offline are named, and appear with the connection', async () => {
  const person = await createUser(run)
  const client = apiClientOf(run, person)
  const work = await availableWork(visitor)
  await client.call('PUT', `/api/favourites/${work._id}`)
  const blocked = /\/api\/(notices|favourites)$/
  const page = await visit('/creators', {
    as: person,
    expects: ['no response'],
    prepare: (context) => context.route(blocked, (route) => route.abort()),
  })
  const main = page.getByRole('main')
  await openFromMenu(page, 'Favourites')
  await main.getByText('Your favourites could not be loaded.').waitFor()
  await page.getByRole('button', { name: /^Notices/ }).click()
  const notices = page.getByRole('region', { name: 'Notices' })
  await notices.getByText('Your notices could not be loaded.').waitFor()
  await goOffline(page)
  await page.context().unroute(blocked)
  await goOnline(page)
  await notices.getByText('Nothing new yet.').waitFor()
  await page.keyboard.press('Escape')
  await main.getByRole('article').filter({ hasText: work.name }).first().waitFor()

  await openFromMenu(page, 'Profile')
  await title(page, 'Nora Newcomer').waitFor()
  await openFromHeader(page, 'Creators')
  await main.getByRole('listitem').first().waitFor()
  await goOffline(page)
  await main.getByRole('article').first().getByRole('link').last().click()
  await title(page, 'This profile could not be loaded').waitFor()
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await goOnline(page)
  await main.getByRole('region', { name: 'Discover Items' }).getByRole('article').first().waitFor()
})

test('Explore turns its pages while offline, shows no works of another filter, and finds them with the connection', async () => {
  const page = await visit('/explore-one', { expects: ['no response'] })
  const main = page.getByRole('main')
  const names = () => main.getByRole('article').getByRole('heading').allTextContents()
  await main.getByRole('article').first().waitFor()
  const firstPage = await names()
  await goOffline(page)
  await main.getByRole('button', { name: 'Next page' }).click()
  await expect.poll(names).not.toEqual(firstPage)
  expect((await names()).length).toBeGreaterThan(0)

  await main.getByLabel('Categories').selectOption('Cube')
  await main.getByText('No NFTs available').waitFor()
  await main.getByRole('button', { name: 'Try again' }).click()
  await main.getByText('No NFTs available').waitFor()
  expect(await names()).toEqual([])
  await main.getByLabel('Categories').selectOption('')
  await expect.poll(names).toEqual(firstPage)
  await main.getByLabel('Categories').selectOption('Cube')
  await main.getByText('No NFTs available').waitFor()
  await goOnline(page)
  await main.getByRole('article').first().waitFor()
})

test('an error page stays in the store when it is tried again while offline', async () => {
  const page = await visit('/', { expects: ['no response'] })
  await page.getByText('Top Items').waitFor()
  // With the code of all parts: React reports parts whose code is loaded again after the failure of another one.
  await page.waitForLoadState('networkidle')
  await goOffline(page)
  await openFromHeader(page, 'Contact')
  await page.getByRole('button', { name: 'Try again' }).click()
  await title(page, 'Somthing went wrong!').waitFor()
  await offlineMessage(page).waitFor()
  await openFromHeader(page, 'Home')
  await page.getByText('Top Items').waitFor()
})
