import { phone } from '@nifty/testkit/browser'
import { availableWork, itemPath } from '@nifty/testkit/works'
import { expect, test } from 'vitest'
import { useBrowser } from './use-browser.ts'

const { visit, visitor } = await useBrowser()

const cookies = (page: Awaited<ReturnType<typeof visit>>) =>
  page
    .context()
    .cookies()
    .then((all) => Object.fromEntries(all.map(({ name, value }) => [name, decodeURIComponent(value)])))

test('a rejection is stored for 365 days, the banner stays closed, and the choice can be changed', async () => {
  const page = await visit('/', { consent: undefined, viewport: phone })
  const banner = page.getByRole('dialog', { name: 'Cookies' })
  await banner.getByRole('button', { name: 'Reject All' }).click()
  await banner.waitFor({ state: 'hidden' })
  const kept = await cookies(page)
  expect(kept.cookie_consent).toBe('necessary')
  expect(JSON.parse(kept.cookie_preferences!)).toEqual({ necessary: true, analytics: false, marketing: false })
  expect(kept.cookie_consent_id).toMatch(/^[0-9a-f-]{32,36}$/)
  expect(Number.isNaN(Date.parse(kept.cookie_consent_date!))).toBe(false)
  const now = Number(await page.evaluate('Date.now()'))
  const days = (await page.context().cookies()).map(({ name, expires }) => [
    name,
    Math.round((expires - now / 1000) / 86_400),
  ])
  expect(Object.fromEntries(days)).toEqual(Object.fromEntries(Object.keys(kept).map((name) => [name, 365])))
  expect(Object.keys(kept).sort()).toEqual([
    'cookie_consent',
    'cookie_consent_date',
    'cookie_consent_id',
    'cookie_preferences',
  ])

  await page.reload()
  await page.getByRole('button', { name: 'Cookie Preferences' }).click()
  await banner.getByRole('button', { name: 'Accept All' }).click()
  expect((await cookies(page)).cookie_consent).toBe('all')
})

test('customized consent stores the ticked categories; the necessary one cannot be unticked', async () => {
  const page = await visit('/explore-one', { consent: undefined })
  await page.getByRole('button', { name: 'Customize' }).click()
  const dialog = page.getByRole('dialog', { name: 'Cookie Preferences' })
  expect(await dialog.getByRole('checkbox', { name: 'Necessary' }).isDisabled()).toBe(true)
  await dialog.getByRole('checkbox', { name: 'Analytics' }).check()
  await dialog.getByRole('button', { name: 'Save preferences' }).click()
  await dialog.waitFor({ state: 'hidden' })
  const kept = await cookies(page)
  expect(kept.cookie_consent).toBe('custom')
  expect(JSON.parse(kept.cookie_preferences!)).toEqual({ necessary: true, analytics: true, marketing: false })
})

test('the policy shows the consent, and withdrawing it reloads the page with necessary cookies only', async () => {
  const page = await visit('/cookiepolicy', { consent: 'all' })
  await page.getByText('Allow all cookies (Necessary, Analytics, Marketing)').waitFor()
  await page.getByText('3b9e5b1e-2f0d-4f0e-8a55-6a1f0c9f2d77').waitFor()
  await page.getByRole('button', { name: 'Withdraw your consent' }).click()
  await page.getByText('Use necessary cookies only').waitFor()
  expect(JSON.parse((await cookies(page)).cookie_preferences!)).toMatchObject({ analytics: false, marketing: false })
  await page.getByRole('button', { name: 'Change your consent' }).click()
  await page.getByRole('dialog', { name: 'Cookies' }).getByRole('button', { name: 'Accept All' }).click()
  await page.getByText('Allow all cookies (Necessary, Analytics, Marketing)').waitFor()
})

test('the dialog of an item opens once the consent is answered, and then has the focus', async () => {
  let send = () => {}
  const isHeld = new Promise<void>((resolve) => {
    send = resolve
  })
  const page = await visit(itemPath(await availableWork(visitor)), {
    consent: undefined,
    viewport: phone,
    prepare: (context) => context.route(/cookie-banner.*\.js/, (route) => isHeld.then(() => route.continue())),
  })
  const dialog = page.getByRole('dialog', { name: 'Please Connect' })
  await page.getByText('Market Price').waitFor()
  expect(await dialog.isVisible()).toBe(false)
  send()
  await page.getByRole('dialog', { name: 'Cookies' }).getByRole('button', { name: 'Reject All' }).click()
  await dialog.waitFor()
  expect(await dialog.evaluate((element) => element.contains(element.ownerDocument.activeElement))).toBe(true)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  expect(await page.evaluate('document.activeElement.tagName')).toBe('H1')
})
