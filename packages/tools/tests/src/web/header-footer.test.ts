import { desktop, phone } from '@nifty/testkit/browser'
import { createUser, demoUser } from '@nifty/testkit/users'
import { expect, test } from 'vitest'
import { stopClock, useBrowser } from './use-browser.ts'

const { run, visit } = await useBrowser()

test('the navigation opens every page, focuses the new heading and scrolls to the top', async () => {
  const page = await visit('/')
  for (const [link, title] of [
    ['Explore', 'Explore Items'],
    ['Wallet', 'Wallet Connect'],
    ['Creators', 'Creators'],
    ['Contact', 'Contact'],
  ] as const) {
    await page.mouse.wheel(0, 600)
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: link }).click()
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe(title)
    expect(await page.evaluate('scrollY')).toBe(0)
    expect(await page.title()).toBe(`${title} | Nifty`)
  }
})

test.each(['/', '/thankyou', '/reset-pass', '/creators'])('%s keeps the title that its document had', async (path) => {
  const document = await (await fetch(run.url + path)).text()
  const page = await visit(path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(document).toContain(`<title>${(await page.title()).replaceAll('&', '&amp;')}</title>`)
})

test('the search in the header leads to what it finds; explore has its own', async () => {
  const page = await visit('/contact')
  const header = page.getByRole('banner')
  await header.getByRole('searchbox', { name: 'Search works and artists' }).fill(' blue landscape ')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/explore-one?search=blue%20landscape')
  await expect.poll(() => page.getByPlaceholder('Search your keywords').inputValue()).toBe('blue landscape')
  await page.getByRole('heading', { level: 1, name: 'Explore Items' }).waitFor()
  expect(await header.getByRole('searchbox').count()).toBe(0)

  const small = await visit('/contact', { viewport: phone })
  await small.getByRole('banner').getByRole('link', { name: 'Search' }).click()
  await small.getByRole('heading', { level: 1, name: 'Explore Items' }).waitFor()
})

test('without the settings the footer has no link without a name, and the address of the operator once they are there', async () => {
  const settings = '**/config.json'
  const page = await visit('/contact', {
    expects: ['no response'],
    prepare: (context) => context.route(settings, (route) => route.abort()),
  })
  const footer = page.getByRole('contentinfo')
  await footer.getByRole('link').first().waitFor()
  expect(await footer.locator('a[href="mailto:"]').count()).toBe(0)
  await page.context().unroute(settings)
  await page.reload()
  await footer.locator('a[href^="mailto:"]').getByText('@').waitFor()
})

test('on a phone the links are behind a menu button that Escape closes', async () => {
  const page = await visit('/', { viewport: phone })
  const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Creators' })
  expect(await link.isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Open menu' }).click()
  await link.waitFor()
  await page.keyboard.press('Escape')
  await link.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Open menu' }).click()
  await link.click()
  await page.getByRole('heading', { level: 1, name: 'Creators' }).waitFor()
})

test('the header sticks after 50 px and the back-to-top button shows after 500', async () => {
  const page = await visit('/')
  const bar = page.locator('header').first()
  const toTop = page.getByRole('button', { name: 'Back to top' })
  await page.getByText('Top Items').waitFor()
  const scrollTo = (top: number) => page.evaluate(`scrollTo(0, ${top})`)
  const sticky = () => bar.getAttribute('data-sticky')
  expect(await sticky()).toBeNull()
  await scrollTo(51)
  await expect.poll(sticky).toBe('true')
  await scrollTo(50)
  await expect.poll(sticky).toBeNull()
  await scrollTo(501)
  await expect.poll(() => toTop.isVisible()).toBe(true)
  await scrollTo(500)
  await expect.poll(() => toTop.isVisible()).toBe(false)
  await scrollTo(900)
  await toTop.click()
  await expect.poll(() => page.evaluate('scrollY')).toBe(0)
})

test('the account menu shows who is logged in, copies the wallet’s address, and logs out', async () => {
  const collector = await demoUser(run, 'collector', 1)
  const page = await visit('/', { as: collector })
  const avatar = page.getByRole('button', { name: /^Account of/ })
  await page.getByText('Top Items').waitFor()
  expect(await avatar.getAttribute('aria-expanded')).toBe('false')
  await avatar.click()
  const { address } = collector.wallet
  await page
    .getByText(`${address.slice(0, 6)}...${address.slice(-6)}`)
    .or(page.getByText(`${address.slice(0, 6)}…${address.slice(-6)}`))
    .waitFor()
  await page.getByRole('button', { name: 'Copy wallet address' }).click()
  await page.getByText('Copied!').waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(address)
  for (const link of ['Profile', 'Settings'])
    expect(await page.locator('#account-menu').getByRole('link', { name: link }).isVisible()).toBe(true)
  await page.keyboard.press('Escape')
  expect(await avatar.getAttribute('aria-expanded')).toBe('false')
  await avatar.click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.waitForURL('**/login')
  expect(await page.evaluate("localStorage.getItem('token')")).toBeNull()
  await page.getByRole('link', { name: 'Login', exact: true }).first().waitFor()
})

test('a user without a wallet sees that there is no address and that the email is unconfirmed', async () => {
  const page = await visit('/', { as: await createUser(run) })
  await page.getByText('Please confirm your email address').waitFor()
  const toggle = page.getByRole('button', { name: 'Account of Nora Newcomer' })
  expect(await toggle.locator('.avatar').getAttribute('data-initials')).toBe('NN')
  await toggle.click()
  await page.getByText('No address available').waitFor()
})

test('the footer has its four columns, the tagline and the cards', async () => {
  const page = await visit('/terms')
  const footer = page.getByRole('contentinfo')
  for (const title of ['NIFTY', 'Usefull Links', 'Contact Details', 'Company Details'])
    await footer.getByRole('heading', { name: title, exact: true }).waitFor()
  await footer
    .getByText('We are a leading store dedicated to connect the top artists with NFT art collectors!')
    .waitFor()
  for (const card of ['Visa', 'Mastercard']) await footer.getByRole('img', { name: card }).waitFor()
})

test('pages of an account and of orders have the columns of the footer, and no newsletter', async () => {
  const as = await createUser(run)
  const page = await visit('/login', { as })
  for (const path of ['/login', '/orders', '/studio', `/creator-profile-edit/${as.userId}`]) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    const footer = page.getByRole('contentinfo')
    await footer.getByRole('link', { name: 'Terms & Conditions' }).waitFor()
    await footer.getByRole('heading', { name: 'Company Details' }).waitFor()
    await footer.getByText('We are a leading store dedicated').waitFor()
    expect(await footer.getByPlaceholder('Enter your email :').count(), path).toBe(0)
  }
})

test('the newsletter form shows Success for three seconds, and an error for an invalid address', async () => {
  const page = await visit('/error', { expects: [400], prepare: (context) => context.clock.install() })
  const field = page.getByPlaceholder('Enter your email :')
  const subscribe = page.getByRole('button', { name: 'Subscribe', exact: true })
  await field.fill('reader@people')
  await subscribe.click()
  await page.getByRole('region', { name: 'Messages' }).getByText('Please enter a valid email').waitFor()
  expect(await field.inputValue()).toBe('reader@people')

  await field.fill('reader@people.example')
  await stopClock(page)
  await subscribe.click()
  await page.getByText('Thank you for subscribing!').waitFor()
  const success = page.getByRole('button', { name: 'Success' })
  await success.waitFor()
  expect(await success.isDisabled()).toBe(true)
  expect(await field.inputValue()).toBe('')
  await page.clock.runFor(2_999)
  expect(await success.isVisible()).toBe(true)
  await page.clock.runFor(1)
  await subscribe.waitFor()
})

test.each(['/error', '/no/such/page', '/item-detail/only-a-name'])('%s is the error page', async (path) => {
  const page = await visit(path, { expects: [404] })
  await page.getByRole('heading', { name: 'Somthing went wrong!' }).waitFor()
  await page.getByText('Try after 30 seconds').waitFor()
  await page.getByRole('link', { name: 'Back to home' }).click()
  await page.getByRole('heading', { name: 'Explore Our collection of Rare NFT Artworks' }).waitFor()
})

test.each([phone, desktop])('nothing is wider than a window of $width px', async (viewport) => {
  const page = await visit('/', { viewport })
  await page.getByText('Best Creators').waitFor()
  for (const path of ['/', '/explore-one', '/creators', '/contact', '/cookiepolicy', '/signup']) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await page.evaluate(tooWide), path).toBeLessThanOrEqual(0)
  }
})

const tooWide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
