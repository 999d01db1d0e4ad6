import { randomUUID } from 'node:crypto'
import { phone } from '@nifty/testkit/browser'
import { apiClientOf, createUser, demoUser } from '@nifty/testkit/users'
import { itemPath } from '@nifty/testkit/works'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findings } from '../screens/findings.ts'
import { useBrowser } from './use-browser.ts'

const { run, visit, visitor } = await useBrowser()

const hearts = (page: Page) => page.getByRole('main').getByRole('button', { name: /^Favourite: / })
const heartOf = (page: Page, name: string) =>
  page
    .getByRole('main')
    .getByRole('button', { name: `Favourite: ${name}`, exact: true })
    .first()
const pressed = (page: Page, name: string) => heartOf(page, name).getAttribute('aria-pressed')
const someWorks = async () => (await visitor.market()).filter(({ forSale }) => forSale)

test('a visitor keeps favourites in the browser; the log-in gives them to the account, once', async () => {
  const [first, second] = await someWorks()
  const user = await createUser(run)
  const page = await visit('/favourites')
  await page.getByText('No favourites yet').waitFor()
  await page.getByText('These are kept in this browser only.').waitFor()
  await page.goto(itemPath(first!))
  await page.getByRole('button', { name: 'Just looking' }).click()
  await heartOf(page, first!.name).press('Enter')
  expect(await pressed(page, first!.name)).toBe('true')
  await page.reload()
  await page.getByRole('button', { name: 'Just looking' }).click()
  await expect.poll(() => pressed(page, first!.name)).toBe('true')

  await page.goto('/login')
  await page.getByRole('main').getByLabel('Email', { exact: true }).fill(user.email)
  await page.getByRole('main').getByLabel('Password', { exact: true }).fill(user.password)
  await page.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click()
  await page.getByRole('button', { name: /^Account of/ }).waitFor()
  await page.goto('/favourites')
  await page.getByRole('article').getByRole('link', { name: first!.name, exact: true }).first().waitFor()

  const client = apiClientOf(run, user)
  expect((await client.call('GET', '/api/favourites')).body).toEqual({ itemIds: [first!._id] })
  expect(await page.evaluate(() => localStorage.getItem('favourites'))).toBeNull()
  await client.call('PUT', `/api/favourites/${second!._id}`)
  await page.reload()
  await expect.poll(() => page.getByRole('article').count()).toBe(2)
})

test('the page of favourites lets a work go at once, and has no accessibility violation with and without works', async () => {
  const [first, second] = await someWorks()
  const as = await createUser(run)
  const client = apiClientOf(run, as)
  for (const work of [first!, second!]) await client.call('PUT', `/api/favourites/${work._id}`)
  const page = await visit('/favourites', { as })
  await expect.poll(() => page.getByRole('article').count()).toBe(2)
  await expect.poll(() => hearts(page).count()).toBe(2)
  expect(await page.getByRole('navigation', { name: 'Pages of NFTs' }).count()).toBe(0)
  expect(await findings(page)).toEqual([])

  await heartOf(page, first!.name).press('Enter')
  await expect.poll(() => page.getByRole('article').count()).toBe(1)
  await page.locator('h1:focus').waitFor()
  await heartOf(page, second!.name).click()
  await page.getByText('No favourites yet').waitFor()
  await expect.poll(async () => (await client.call('GET', '/api/favourites')).body).toEqual({ itemIds: [] })
  expect(await findings(page)).toEqual([])
})

test('a heart that the store refuses is taken back, with the reason', async () => {
  const [work] = await someWorks()
  const page = await visit('/explore-one', {
    as: await createUser(run),
    expects: [429],
    prepare: (context) =>
      context.route(`**/api/favourites/${work!._id}`, (route) =>
        route.fulfill({
          status: 429,
          json: { success: false, code: 'too_many_favourites', message: 'You may have at most 2000 favourites' },
        }),
      ),
  })
  await heartOf(page, work!.name).click()
  await page.getByText('You may have at most 2000 favourites').waitFor()
  expect(await pressed(page, work!.name)).toBe('false')
})

test('a heart that is pressed before the favourites have arrived keeps the others', async () => {
  const [first, second] = await someWorks()
  const as = await createUser(run)
  await apiClientOf(run, as).call('PUT', `/api/favourites/${first!._id}`)
  let arrive = () => {}
  const arrival = new Promise<void>((resolve) => {
    arrive = resolve
  })
  let requests = 0
  const page = await visit('/explore-one', {
    as,
    prepare: (context) =>
      context.route('**/api/favourites', async (route) => {
        if (requests++ === 0) await arrival
        await route.fallback()
      }),
  })
  await heartOf(page, second!.name).click()
  await expect.poll(() => pressed(page, second!.name)).toBe('true')
  arrive()
  await expect.poll(() => pressed(page, first!.name)).toBe('true')
  expect(await pressed(page, second!.name)).toBe('true')
})

test('an artist is followed on the profile, listed among the favourites and let go there', async () => {
  const artist = await demoUser(run, 'creator')
  const page = await visit(`/creator-profile/${artist.username}`, { as: await createUser(run), viewport: phone })
  const main = page.getByRole('main')
  await main.getByRole('button', { name: /^Follow / }).click()
  const following = main.getByRole('button', { name: /^Following / })
  await following.waitFor()
  await page.goto('/favourites')
  const followed = page.getByRole('region', { name: 'Artists you follow' })
  await followed.getByRole('link').first().waitFor()
  await following.click()
  await followed.getByText('You follow no artist yet').waitFor()
})

test('the own profile has no button to follow it', async () => {
  const as = await demoUser(run, 'creator')
  const page = await visit(`/creator-profile/${as.username}`, { as })
  await page.getByRole('link', { name: 'Edit profile' }).waitFor()
  expect(await page.getByRole('button', { name: /^Follow/ }).count()).toBe(0)
})

test('a page of favourites whose works are all hidden by now leads to the others', async () => {
  const [shown] = await someWorks()
  const hidden = Array.from({ length: 8 }, () => randomUUID())
  const favourites = JSON.stringify([...hidden, shown!._id])
  const page = await visit('/error')
  await page.evaluate((value) => localStorage.setItem('favourites', value), favourites)
  await page.goto('/favourites')
  await page.getByText('No NFTs available').waitFor()
  await page.getByText('The works that you marked here are not shown in the store now.').waitFor()
  await page.getByRole('button', { name: 'Next page' }).click()
  await page.getByRole('article').getByRole('link', { name: shown!.name, exact: true }).first().waitFor()
})
