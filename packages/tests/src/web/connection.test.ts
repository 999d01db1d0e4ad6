import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useBrowser } from './use-browser.ts'

const { visit } = await useBrowser()

const open = (page: Page, link: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: link }).click()

const offline = (page: Page) => page.getByRole('status').filter({ hasText: 'You are offline' })

test('a page whose code could not be loaded while offline is shown on the next visit', async () => {
  const page = await visit('/', { expects: ['no response'] })
  await page.getByText('Top Items').waitFor()
  await page.context().setOffline(true)
  await offline(page).waitFor()
  await open(page, 'Creators')
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await page.context().setOffline(false)
  await offline(page).waitFor({ state: 'hidden' })
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
