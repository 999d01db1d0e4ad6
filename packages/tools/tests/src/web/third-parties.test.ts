import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useBrowser } from './use-browser.ts'

const { run, thirdParties, visit } = await useBrowser()

/** Records the requests of a visit to third parties. */
function watched(options: Parameters<typeof visit>[1]) {
  const requested: string[] = []
  const prepare: NonNullable<typeof options>['prepare'] = async (context) =>
    context.on('request', (request) => {
      if (request.url().startsWith(thirdParties)) requested.push(new URL(request.url()).pathname)
    })
  return { requested, options: { ...options, prepare } }
}

/** Long enough after its load that the page would have brought the film in. */
const hadItsChance = (page: Page) =>
  expect
    .poll(() => page.evaluate("performance.now() - performance.getEntriesByType('navigation')[0].loadEventEnd"))
    .toBeGreaterThan(1_500)

const ran = (page: Page) =>
  expect.poll(() => page.evaluate('window.ran?.toSorted()')).toEqual(['analytics', 'tag manager'])

const film = (page: Page) => page.locator('iframe[title="Background video"]')

test('no third-party script runs before consent; with consent both run, on the next visit too', async () => {
  const { requested, options } = watched({ consent: undefined })
  const page = await visit('/contact', options)
  const banner = page.getByRole('dialog', { name: 'Cookies' })
  await banner.waitFor()
  expect(requested).toEqual([])
  await banner.getByRole('button', { name: 'Accept All' }).click()
  await ran(page)
  expect(await page.evaluate("window.dataLayer.some(({ event }) => event === 'gtm.js')")).toBe(true)
  await page.reload()
  await ran(page)
})

test('without consent to statistics none runs, and the CSP allows only the operator’s origins', async () => {
  const { requested, options } = watched({ consent: 'necessary' })
  const page = await visit('/contact', options)
  await page.getByRole('button', { name: 'Cookie Preferences' }).click()
  await page.getByRole('button', { name: 'Customize' }).click()
  const dialog = page.getByRole('dialog', { name: 'Cookie Preferences' })
  await dialog.getByRole('checkbox', { name: 'Marketing' }).check()
  await dialog.getByRole('button', { name: 'Save preferences' }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect(requested).toEqual([])

  const policy = (await fetch(run.url)).headers.get('content-security-policy')!
  const sources = Object.fromEntries(policy.split('; ').map((rule) => [rule.split(' ')[0], rule.split(' ').slice(1)]))
  expect(sources['script-src']).toEqual(["'self'", thirdParties])
  expect(sources['frame-src']).toEqual([thirdParties])
})

test.each([
  '/reset-password/secret-token',
  '/accept?token=secret-token',
  '/accept?newsletter=secret-token',
  '/freeze-account#secret-token',
])('%s runs no third-party script, and its token leaves the address before the page is shown', async (path) => {
  const { requested, options } = watched({ consent: 'all', expects: [400] })
  const page = await visit(path, options)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Cookie Preferences' }).waitFor()
  await hadItsChance(page)
  expect(page.url()).not.toContain('secret-token')
  expect(await page.evaluate('window.dataLayer')).toBeUndefined()
  expect(requested.filter((script) => script.endsWith('.js'))).toEqual([])
})

test('the page of a certificate runs no third-party script, also on the way back from a page that does', async () => {
  const { requested, options } = watched({ consent: 'all', expects: [404] })
  const page = await visit('/certificate#secret', options)
  const opened = page.getByRole('heading', { level: 1, name: 'This certificate cannot be opened' })
  await opened.waitFor()
  await hadItsChance(page)
  expect(requested).toEqual([])

  await page.getByRole('main').getByRole('link', { name: 'Explore the works' }).click()
  await page.waitForURL('**/explore-one')
  await page.reload()
  await ran(page)
  const before = requested.length
  await page.goBack()
  await opened.waitFor()
  await hadItsChance(page)
  expect(await page.evaluate('window.ran')).toBeUndefined()
  expect(requested.slice(before)).toEqual([])
})

test.each(['/login', '/signup', '/reset-pass'])(
  'the background video of %s loads after the page, over a still image',
  async (path) => {
    const { options } = watched({ consent: 'all', calm: false })
    const page = await visit(path, options)
    await film(page).waitFor()
    const [loaded, requested] = (await page.evaluate(`[
      performance.getEntriesByType('navigation')[0].loadEventEnd,
      performance.getEntriesByType('resource').find(({ initiatorType }) => initiatorType === 'iframe')?.startTime ?? Infinity,
    ]`)) as [number, number]
    expect(requested).toBeGreaterThan(loaded)
    expect(
      await page.locator('img[src="/backdrop.svg"]').evaluate((picture: any) => picture.naturalWidth),
    ).toBeGreaterThan(0)
    await page.getByRole('button', { name: 'Stop the background video' }).click()
    await film(page).waitFor({ state: 'detached' })
  },
)

test('a video that never loads does not delay a form', async () => {
  const page = await visit('/error', {
    consent: 'all',
    calm: false,
    prepare: (context) => context.route(`${thirdParties}/loop**`, () => {}),
  })
  await page.goto('/login')
  await film(page).waitFor({ state: 'attached' })
  await page.getByRole('main').getByLabel('Email', { exact: true }).fill('nora@people.example')
  await page.getByRole('checkbox', { name: 'Remember me' }).check()
})

test('with reduced motion only the still image is shown', async () => {
  const { requested, options } = watched({ consent: 'all', calm: true })
  const page = await visit('/login', options)
  await hadItsChance(page)
  expect(requested).not.toContain('/loop')
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await film(page).waitFor()
})

test('without consent to third parties only the still image is shown', async () => {
  const { requested, options } = watched({ consent: 'necessary', calm: false })
  const page = await visit('/login', options)
  await hadItsChance(page)
  expect(requested).toEqual([])
  await page.getByRole('button', { name: 'Cookie Preferences' }).click()
  await page.getByRole('dialog', { name: 'Cookies' }).getByRole('button', { name: 'Accept All' }).click()
  await film(page).waitFor()
})
