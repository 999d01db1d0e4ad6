import { phone } from '@nifty/testkit/browser'
import { createUser, demoUser } from '@nifty/testkit/users'
import type { BrowserContext } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import { useBrowser } from './use-browser.ts'

const { run, visit } = await useBrowser()

/** Has the store send three creators per page, of which it has too few for two full pages. */
const inThrees = (context: BrowserContext) =>
  context.route('**/api/creators?*', (route, request) =>
    route.continue({ url: request.url().replace(/limit=\d+/, 'limit=3') }),
  )

test('each creator has a name, a username and at most two works that link to their pages', async () => {
  const page = await visit('/creators', { viewport: phone })
  const card = page.getByRole('article').first()
  await card.getByRole('heading', { level: 2 }).waitFor()
  await card.getByText(/^@/).waitFor()
  const works = card.locator('a[href^="/item-detail/"]')
  await expect.poll(() => works.count()).toBeGreaterThan(0)
  expect(await works.count()).toBeLessThanOrEqual(2)
  await works.first().click()
  await page.waitForURL('**/item-detail/**')
})

test('creators beyond the first page are on further ones, in the address and in the title, by keyboard', async () => {
  const page = await visit('/creators', { prepare: inThrees })
  const usernames = page.getByRole('article').getByText(/^@/)
  const next = page.getByRole('button', { name: 'Next page' })
  const previous = page.getByRole('button', { name: 'Previous page' })
  // A store that has just started still makes works, and creators change their order: such a try is repeated.
  const walk = async () => {
    await page.goto('/creators')
    const result = page.getByRole('status').filter({ hasText: / creators, page 1 of / })
    const [, total, last] = /^(\d+) creators, page 1 of (\d+)$/.exec((await result.textContent())!)!.map(Number)
    expect(last).toBe(Math.ceil(total! / 3))
    expect(await previous.isDisabled()).toBe(true)
    const seen = await usernames.allTextContents()
    for (let number = 2; number <= last!; number++) {
      await next.press('Enter')
      await page.waitForURL(`**/creators?page=${number}`)
      await page.getByText(`${total} creators, page ${number} of ${last}`).waitFor({ timeout: 5_000 })
      expect(await page.title()).toBe(`page ${number} – Creators | Nifty`)
      seen.push(...(await usernames.allTextContents()))
    }
    expect(new Set(seen).size).toBe(total)
    return { first: seen.slice(0, 3), last: seen.slice(3 * (last! - 1)), pages: last! }
  }
  const walked = await vi.waitFor(walk, { timeout: 90_000 })
  expect(await next.isDisabled()).toBe(true)
  await expect.poll(() => previous.evaluate((button) => button.matches(':focus'))).toBe(true)

  await page.reload()
  await expect.poll(() => usernames.allTextContents()).toEqual(walked.last)
  await page.goto('/creators?page=9999')
  await page.waitForURL(`**/creators?page=${walked.pages}`)
  await expect.poll(() => usernames.allTextContents()).toEqual(walked.last)
  await page.goto('/creators')
  await next.click()
  await page.waitForURL('**/creators?page=2')
  await page.goBack()
  await expect.poll(() => usernames.allTextContents()).toEqual(walked.first)
  await expect.poll(() => page.title()).toBe('Creators | Nifty')
})

test('a page of creators that cannot be loaded is tried again', async () => {
  let fails = true
  const page = await visit('/creators', {
    expects: [500],
    prepare: async (context) => {
      await inThrees(context)
      await context.route('**/api/creators?*page=2*', (route) =>
        fails ? route.fulfill({ status: 500 }) : route.fallback(),
      )
    },
  })
  await page.getByRole('button', { name: 'Next page' }).click()
  await page.getByText('The creators could not be loaded.').waitFor()
  expect(await page.getByRole('article').count()).toBe(0)
  fails = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('article').first().waitFor()
})

test('a profile shows its creator and their works to logged-in users', async () => {
  const creator = await demoUser(run, 'creator')
  const page = await visit(`/creator-profile/${creator.username}`, { as: await createUser(run) })
  await page.getByText(`Created by ${creator.username}`).waitFor()
  await page.getByRole('heading', { name: 'Discover Items' }).waitFor()
  await page.getByRole('article').first().waitFor()
  expect(await page.getByRole('link', { name: 'Edit profile' }).count()).toBe(0)
  // What can be bought comes first.
  const prices = await page.locator('.item-card__price').allTextContents()
  const isUnsold = prices.map((price) => price.includes('Not for sale'))
  expect(isUnsold).toEqual([...isUnsold].sort())
})

test('the own profile has no buy buttons and a link to the settings', async () => {
  const creator = await demoUser(run, 'creator')
  const page = await visit(`/creator-profile/${creator.username}`, { as: creator })
  await page.getByRole('article').first().waitFor()
  await page.getByRole('link', { name: 'Edit profile' }).waitFor()
  expect(await page.getByRole('link', { name: /^Buy Now/ }).count()).toBe(0)
})

test('a profile without works is empty, an unknown one is not found, and a visitor is sent to the log-in', async () => {
  const person = await createUser(run)
  const page = await visit(`/creator-profile/${person.username}`, { as: person, expects: [404] })
  await page.getByText('No NFTs available').waitFor()
  await page.goto('/creator-profile/@nobody-at-all')
  await page.getByRole('heading', { level: 1, name: 'User not Found' }).waitFor()
  const visitor = await visit(`/creator-profile/${person.username}`)
  await visitor.waitForURL('**/login')
})
