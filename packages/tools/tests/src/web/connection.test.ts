import { buyersOf, purchase } from '@nifty/testkit/purchase'
import { workAndOwner } from '@nifty/testkit/works'
import type { BrowserContext, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { goOffline, goOnline } from './offline.ts'
import { useBrowser } from './use-browser.ts'

const { run, visit, visitor } = await useBrowser()

const open = (page: Page, link: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: link }).click()

test('a page whose code could not be loaded while offline is shown on the next visit', async () => {
  const page = await visit('/', { expects: ['no response'] })
  await page.getByText('Top Items').waitFor()
  await goOffline(page)
  await open(page, 'Creators')
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await goOnline(page)
  await page.getByRole('heading', { level: 1, name: 'Creators' }).waitFor()

  await page.context().setOffline(true)
  await open(page, 'Contact')
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await open(page, 'Home')
  await page.getByText('Top Items').waitFor()
  await page.context().setOffline(false)
  await open(page, 'Contact')
  await page.getByRole('heading', { level: 1, name: 'Contact' }).waitFor()
})

test('a tab that is older than the files on the server loads the new version', async () => {
  let missing = 1
  const page = await visit('/explore-one', {
    expects: [404, 'no response'],
    prepare: (context) =>
      context.route('**/assets/item-page-*.js', (route) =>
        missing-- > 0 ? route.fulfill({ status: 404, body: 'not found' }) : route.fallback(),
      ),
  })
  const card = page.getByRole('article').first()
  const name = String(await card.getByRole('heading').textContent())
  await card.getByRole('heading').getByRole('link').click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
})

test('a file that stays missing is an error page with a way to try again, not a tab that reloads forever', async () => {
  const documents: string[] = []
  const page = await visit('/explore-one', {
    expects: [404, 'no response'],
    prepare: async (context) => {
      await context.route('**/assets/item-page-*.js', (route) => route.fulfill({ status: 404, body: 'not found' }))
      context.on('request', (request) => {
        if (request.isNavigationRequest()) documents.push(new URL(request.url()).pathname)
      })
    },
  })
  const heading = page.getByRole('article').first().getByRole('heading')
  const name = String(await heading.textContent())
  await heading.getByRole('link').click()
  await page.getByRole('heading', { level: 1, name: 'Somthing went wrong!' }).waitFor()
  expect(documents).toEqual(['/explore-one', new URL(page.url()).pathname])
  await page.context().unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
})

test('without its code below the fold an item page still sells the work, and has it on the next visit', async () => {
  const page = await visit('/explore-one', {
    expects: ['no response'],
    prepare: async (context) => {
      await context.route('**/assets/related-works-*.js', (route) => route.abort())
      // The server is not reached either: this is no new version.
      await context.route('/', (route) => (route.request().method() === 'HEAD' ? route.abort() : route.fallback()))
    },
  })
  const card = page.getByRole('article').first()
  const name = String(await card.getByRole('heading').textContent())
  await card.getByRole('heading').getByRole('link').click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
  await page.getByRole('button', { name: 'Just looking' }).click()
  await page.getByRole('heading', { name: 'Provenance' }).waitFor()

  await page.context().unrouteAll()
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Explore Items' }).waitFor()
  await page.goForward()
  await page.getByRole('heading', { name: /^More by / }).waitFor()
})

test('cards whose hearts could not be loaded have them on the next visit', async () => {
  const page = await visit('/', {
    expects: ['no response'],
    prepare: async (context) => {
      await context.route('**/assets/favourites-*.js', (route) => route.abort())
      await context.route('/', (route) => (route.request().method() === 'HEAD' ? route.abort() : route.fallback()))
    },
  })
  await page.getByText('Top Items').waitFor()
  await page.waitForLoadState('networkidle')
  expect(await page.getByRole('button', { name: /^Favourite: / }).count()).toBe(0)
  await page.context().unrouteAll()
  await open(page, 'Explore')
  await page
    .getByRole('button', { name: /^Favourite: / })
    .first()
    .waitFor()
})

test('the cookie banner stays when the code of its choices could not be loaded', async () => {
  const page = await visit('/', { consent: undefined, expects: ['no response'] })
  await page.getByRole('button', { name: 'Customize' }).waitFor()
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Customize' }).click()
  await page.getByText('The choices could not be loaded. Please try again.').waitFor()
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Reject All' }).click()
  await page.getByRole('dialog', { name: 'Cookies' }).waitFor({ state: 'hidden' })
})

test('what a button loads and is missing is said: the passkeys of the log-in and the CSV of the studio', async () => {
  const missing = (file: string) => (context: BrowserContext) =>
    context.route(`**/assets/${file}*.js`, (route) => route.fulfill({ status: 404, body: 'not found' }))
  const login = await visit('/login', { expects: [404], prepare: missing('passkey-device') })
  await login.getByRole('button', { name: 'Log in with a passkey' }).click()
  await login.getByText('Passkeys could not be loaded. Please reload the page and try again.').waitFor()

  const [buyer] = await buyersOf(run)
  const { work, owner } = await workAndOwner(run, visitor)
  await purchase(run, buyer!, work).sale
  const studio = await visit('/studio', { as: owner, expects: [404], prepare: missing('papaparse') })
  await studio.getByRole('button', { name: 'Download CSV' }).click()
  await studio.getByText('The file could not be made. Please reload the page and try again.').waitFor()
})
