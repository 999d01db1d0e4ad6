import { randomUUID } from 'node:crypto'
import { phone } from '@nifty/testkit/browser'
import { apiClientOf, createUser, type User } from '@nifty/testkit/users'
import { availableWork, itemPath } from '@nifty/testkit/works'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useBrowser } from './use-browser.ts'

const { run, visit, visitor } = await useBrowser()

const card = (page: Page) => page.getByRole('region', { name: 'Continue where you were' })
const terms = (page: Page) => page.getByRole('checkbox', { name: /I declare that I have read/ })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Please Connect' })

async function logInOn(page: Page, { email, password }: Pick<User, 'email' | 'password'>) {
  const main = page.getByRole('main')
  await main.getByLabel('Email', { exact: true }).fill(email)
  await main.getByLabel('Password', { exact: true }).fill(password)
  await main.getByRole('button', { name: 'Login', exact: true }).click()
  await page.waitForURL('**/creator-profile/**')
}

async function unlock(page: Page, { password }: User) {
  await page.waitForURL('**/lock-screen')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('on a phone a visitor who gets a link has paid for the work after at most 11 taps', async () => {
  const work = await availableWork(visitor)
  const name = randomUUID().slice(0, 8)
  const [email, password] = [`${name}@people.example`, 'a long enough password']
  const page = await visit(itemPath(work), { consent: undefined, viewport: phone, touch: true })
  const main = page.getByRole('main')
  let taps = 0
  const tap = async (target: Locator) => {
    await target.tap()
    taps++
  }

  await tap(page.getByRole('button', { name: 'Reject All' }))
  await tap(dialog(page).getByRole('link', { name: 'Sign up' }))
  for (const [label, value] of Object.entries({
    'First name': 'Nora',
    'Last name': 'New',
    Username: name,
    Email: email,
    Password: password,
    'Repeat password': password,
  }))
    await main.getByLabel(label, { exact: true }).fill(value)
  await tap(main.getByRole('checkbox'))
  await tap(main.getByRole('button', { name: 'Sign up' }))
  await page.getByRole('heading', { name: 'Thank You for your Registration!' }).waitFor()
  await card(page).getByText(work.name).waitFor()
  await tap(main.getByRole('link', { name: 'Login' }))
  await main.getByLabel('Email', { exact: true }).fill(email)
  await main.getByLabel('Password', { exact: true }).fill(password)
  await tap(main.getByRole('button', { name: 'Login', exact: true }))
  await tap(card(page).getByRole('link', { name: 'Continue' }))
  await tap(dialog(page).getByRole('button', { name: 'Keep it here for me' }))
  await tap(terms(page))
  await tap(page.getByRole('button', { name: 'Buy Now' }))
  await page.waitForURL('**/pay/**')
  await page.getByLabel('Card number').fill(run.cards.approved)
  await page.getByLabel('Expiry').fill('12 / 34')
  await page.getByLabel('CVC').fill('123')
  await page.getByLabel('Name on card').fill('A Collector')
  await tap(page.getByRole('button', { name: /^Pay / }))
  await page.waitForURL('**/purchase-thanks**')
  await page.getByRole('heading', { name: 'Thanks for Your Purchase!' }).waitFor()
  expect(taps).toBeLessThanOrEqual(11)

  // What was bought is not offered again.
  await page.getByRole('link', { name: 'Back to home' }).tap()
  await page.getByRole('heading', { level: 1, name: /Explore Our collection/ }).waitFor()
  expect(await card(page).count()).toBe(0)
})

test('the terms that a visitor accepted are still accepted after the log-in, for that work only', async () => {
  const person = await createUser(run)
  const work = await availableWork(visitor)
  const other = await availableWork(visitor, ({ _id }) => _id !== work._id)
  const page = await visit(itemPath(work))
  await dialog(page).getByRole('button', { name: 'Just looking' }).click()
  await terms(page).check()
  await page.getByRole('button', { name: 'Buy Now' }).click()
  await dialog(page).getByRole('link', { name: 'Login' }).click()
  await logInOn(page, person)
  await card(page).getByRole('link', { name: 'Continue' }).click()
  await terms(page).waitFor()
  expect(await terms(page).isChecked()).toBe(true)
  await page.goto(itemPath(other))
  await dialog(page).getByRole('button', { name: 'Just looking' }).click()
  expect(await terms(page).isChecked()).toBe(false)
  // The page of the work was reached: nothing is left to lead back to.
  await page.goto('/')
  await page.getByRole('button', { name: 'Account of Nora Newcomer' }).waitFor()
  expect(await card(page).count()).toBe(0)
})

test('a session that ends at Buy Now loses neither the accepted terms nor the choice of custody', async () => {
  const person = await createUser(run)
  const work = await availableWork(visitor)
  const page = await visit(itemPath(work), { as: person, expects: [401] })
  await dialog(page).getByRole('button', { name: 'Keep it here for me' }).click()
  await terms(page).check()
  const elsewhere = apiClientOf(run, person)
  await elsewhere.call('POST', '/api/auth/logout')
  // Payments reads the list of ended sessions every two seconds.
  await expect.poll(async () => (await elsewhere.call('GET', '/api/orders')).status, { timeout: 30_000 }).toBe(401)
  await page.getByRole('button', { name: 'Buy Now' }).click()
  await page.getByRole('link', { name: 'Login' }).first().click()
  await logInOn(page, person)
  await card(page).getByRole('link', { name: 'Continue' }).click()
  await terms(page).waitFor()
  expect(await terms(page).isChecked()).toBe(true)
  await page.getByText('Kept here for you, free of charge.').waitFor()
  await page.getByRole('button', { name: 'Buy Now' }).click()
  await page.waitForURL('**/pay/**')
  await page.getByRole('link', { name: /back/i }).first().click()
  await page.getByRole('heading', { name: 'Nothing was charged' }).waitFor()
  await page.getByRole('link', { name: 'Back to the work' }).click()
  await terms(page).waitFor()
  expect(await terms(page).isChecked()).toBe(true)
})

test('the mailed link of an order leads to the lock screen, and from home to the order', async () => {
  const person = await createUser(run)
  const work = await availableWork(visitor)
  const { body } = await apiClientOf(run, person).buy(work, 'custody')
  await apiClientOf(run, person).cancel(body.orderId)
  const expired = { ...person, token: 'expired' }
  const page = await visit(`/orders/${body.orderId}`, { as: expired, expects: [401] })
  await unlock(page, person)
  await page.getByRole('heading', { level: 1, name: /Explore Our collection/ }).waitFor()
  await card(page).getByText('Your order', { exact: true }).waitFor()
  await card(page).getByRole('link', { name: 'Continue' }).click()
  await page.waitForURL(`**/orders/${body.orderId}`)
  await page.getByText('Nothing was charged').first().waitFor()
  await page.goto('/')
  await page.getByRole('button', { name: 'Account of Nora Newcomer' }).waitFor()
  expect(await card(page).count()).toBe(0)
})

test('after paying with an ended session the lock screen leads to the order, and nobody else is led there', async () => {
  const person = await createUser(run)
  const other = await createUser(run)
  const order = randomUUID()
  const page = await visit(`/purchase-thanks?order=${order}`, {
    as: { ...person, token: 'expired' },
    expects: [401],
  })
  await page.getByRole('heading', { level: 1, name: 'Thanks for Your Purchase!' }).waitFor()
  await page.goto(`/purchase-thanks?order=${order}&cancelled=1`)
  await page.getByRole('heading', { level: 1, name: 'Back from the payment page' }).waitFor()
  await page.getByRole('link', { name: 'Log in' }).click()
  await page.waitForURL('**/lock-screen')
  await page.getByRole('main').getByRole('link', { name: 'Login' }).click()
  await logInOn(page, other)
  await page.getByRole('button', { name: 'Account of Nora Newcomer' }).waitFor()
  expect(await card(page).count()).toBe(0)

  const again = await visit(`/purchase-thanks?order=${order}`, {
    as: { ...person, token: 'expired' },
    expects: [401],
  })
  await again.getByRole('link', { name: 'Log in' }).click()
  await unlock(again, person)
  await card(again)
    .getByText(`Your order ${order.slice(0, 8).toUpperCase()}`)
    .waitFor()
  await card(again).getByRole('button', { name: 'Dismiss' }).click()
  await card(again).waitFor({ state: 'detached' })
  await again.reload()
  await again.getByRole('button', { name: 'Account of Nora Newcomer' }).waitFor()
  expect(await card(again).count()).toBe(0)
})

test('a log-out forgets what the account looked at', async () => {
  const person = await createUser(run)
  const page = await visit(itemPath(await availableWork(visitor)), { as: person })
  await dialog(page).getByRole('button', { name: 'Just looking' }).click()
  await page.getByRole('button', { name: 'Account of Nora Newcomer' }).click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.waitForURL('**/login')
  await expect.poll(() => page.evaluate('localStorage.getItem("return_to")')).toBeNull()
})
