import { demoUser } from '@nifty/testkit/users'
import { availableWork, itemPath } from '@nifty/testkit/works'
import type { BrowserContext } from 'playwright-core'
import { expect, test } from 'vitest'
import { useBrowser } from './use-browser.ts'

const { run, visit, visitor } = await useBrowser()

const failures: Record<string, (context: BrowserContext) => Promise<unknown>> = {
  'answers 500': (context) =>
    context.route(/\/(api\/|config\.json)/, (route) => route.fulfill({ status: 500, body: 'oops' })),
  'does not answer': (context) => context.route(/\/(api\/|config\.json)/, () => {}),
  'talks nonsense': (context) =>
    context.route(/\/(api\/|config\.json)/, (route) => route.fulfill({ status: 200, json: ['what?'] })),
}

const words: Record<string, RegExp> = {
  '/': /Explore Our collection of Rare NFT Artworks/,
  '/explore-one': /Explore Items/,
  '/creators': /Creators/,
  '/contact': /Contact/,
  '/terms': /Terms & Conditions/,
  '/login': /Login/,
  '/lock-screen': /Login/,
  '/orders': /Your orders/,
  '/studio': /Studio/,
}

test.each(Object.keys(failures))('every page can be read while the store %s', async (failure) => {
  const as = await demoUser(run, 'creator')
  const item = itemPath(await availableWork(visitor))
  const page = await visit('/error', { as, expects: [500], prepare: failures[failure] })
  for (const [path, title] of Object.entries(words)) {
    await page.goto(path)
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent(), { message: path }).toMatch(title)
  }
  for (const path of [item, `/creator-profile/${as.username}`, `/creator-profile-edit/${as.userId}`]) {
    await page.goto(path)
    await expect.poll(() => page.getByRole('main').textContent(), { message: path }).toMatch(/\w{3}/)
  }
})

test('a form that the store fails can be sent again', async () => {
  let fails = true
  const page = await visit('/contact', {
    expects: [500],
    prepare: (context) =>
      context.route('**/api/contact', (route) => (fails ? route.fulfill({ status: 500 }) : route.fallback())),
  })
  const main = page.getByRole('main')
  for (const label of ['Name', 'Subject', 'Message']) await main.getByLabel(label, { exact: true }).fill('Nora')
  await main.getByLabel('Email', { exact: true }).fill('nora@people.example')
  await main.getByRole('button', { name: 'Send Message' }).click()
  await page.getByText('An error occurred while sending your message. Please try again later.').waitFor()
  fails = false
  await main.getByRole('button', { name: 'Send Message' }).click()
  await page.getByRole('region', { name: 'Messages' }).getByRole('status').waitFor()
})
