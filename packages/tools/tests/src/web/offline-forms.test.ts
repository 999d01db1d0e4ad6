import { randomUUID } from 'node:crypto'
import type { Mint } from '@nifty/api/minting/public'
import type { Order } from '@nifty/api/payments/public'
import { apiClientOf, createUser, demoUser } from '@nifty/testkit/users'
import { waitUntil } from '@nifty/testkit/wait-until'
import { availableWork, itemPath } from '@nifty/testkit/works'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { goOffline, goOnline } from './offline.ts'
import { useBrowser } from './use-browser.ts'

const { run, visit, visitor } = await useBrowser()

/** The connection is back, and the first request for the user still finds no server. */
async function goOnlineInSteps(page: Page) {
  const user = '**/api/auth/user'
  await page.route(user, (route) => route.abort())
  let failed = false
  page.on('requestfailed', (request) => {
    failed ||= request.url().endsWith('/api/auth/user')
  })
  await goOnline(page)
  // A response that is younger than two seconds is not requested again: until then the event has no effect.
  await expect.poll(() => page.evaluate("dispatchEvent(new Event('online'))").then(() => failed)).toBe(true)
  await page.unroute(user)
}

/** The next POST to a path reaches the store, and its response is lost. */
async function loseResponse(page: Page, path: string) {
  let left = 1
  await page.route(path, async (route) => {
    if (route.request().method() !== 'POST' || left-- < 1) return route.fallback()
    await route.fetch()
    return route.abort()
  })
}

/** A required field has a star after its label. */
const fieldOf = (fields: Locator, label: string) => fields.getByLabel(new RegExp(`^${label}`))

async function fill(fields: Locator, values: Record<string, string>) {
  for (const [label, value] of Object.entries(values)) await fieldOf(fields, label).fill(value)
}

async function expectKept(fields: Locator, values: Record<string, string>) {
  for (const [label, value] of Object.entries(values))
    expect(await fieldOf(fields, label).inputValue(), label).toBe(value)
}

test('a sign-up that was sent offline says so, keeps what was typed, and registers once the connection is back', async () => {
  const page = await visit('/signup', { expects: ['no response'] })
  const main = page.getByRole('main')
  const name = randomUUID().slice(0, 8)
  const values = {
    'First name': 'Nora',
    'Last name': 'Newcomer',
    Username: name,
    Email: `${name}@people.example`,
    Password: 'a long enough password',
    'Repeat password': 'a long enough password',
  }
  await fill(main, values)
  await main.getByRole('checkbox').check()
  await goOffline(page)
  await main.getByRole('button', { name: 'Sign up' }).click()
  await main.getByText('Something went wrong, please try again.').waitFor()
  await expectKept(main, values)
  expect(await main.getByRole('checkbox').isChecked()).toBe(true)

  await goOnline(page)
  await main.getByRole('button', { name: 'Sign up' }).click()
  await page.getByRole('heading', { level: 1, name: 'Thank You for your Registration!' }).waitFor()
})

test('settings that were sent offline are kept in their fields, and are saved once the connection is back', async () => {
  const person = await createUser(run)
  const page = await visit(`/creator-profile-edit/${person.userId}`, { as: person, expects: ['no response'] })
  const main = page.getByRole('main')
  const messages = page.getByRole('region', { name: 'Messages' })
  const details = { 'First name': 'Norah', 'Last name': 'Newcomb', Description: 'Collects blue pictures.' }
  const passwords = {
    'Old password': person.password,
    'New password': 'another password',
    'Retype new password': 'another password',
  }
  await fill(main, { ...details, ...passwords })
  await goOffline(page)
  await main.getByRole('button', { name: 'Update Profile' }).click()
  await messages.getByText('Failed to update profile').waitFor()
  await main.getByRole('button', { name: 'Save Password' }).click()
  await messages.getByText('Failed to update password').waitFor()
  await expectKept(main, { ...details, ...passwords })

  await goOnlineInSteps(page)
  await expectKept(main, { ...details, ...passwords })
  await main.getByRole('button', { name: 'Update Profile' }).click()
  await messages.getByText('Profile updated successfully').waitFor()
  await main.getByRole('button', { name: 'Save Password' }).click()
  await messages.getByText('Password updated successfully').waitFor()
})

test('a new work that was sent offline, and again without an answer, is kept in its form and minted once', async () => {
  const creator = await demoUser(run, 'creator')
  const [first] = await visitor.market()
  const picture = await fetch(`${run.url}${first!.image}?w=320`, { headers: { accept: 'image/webp' } })
  const page = await visit('/studio', { as: creator, expects: ['no response'] })
  const form = page.getByRole('region', { name: 'Mint a work' })
  const submit = form.getByRole('button', { name: 'Mint this work' })
  const confirm = page.getByRole('button', { name: 'Mint it for good' })
  const name = `Offline at ${Date.now()}`
  const values = { Name: name, Description: 'Made for a test.', Category: 'Cube', 'Price in €': '12.5' }
  const { Category, ...typed } = values
  await submit.waitFor()
  await form
    .locator('input[type=file]')
    .setInputFiles({ name: 'work.webp', mimeType: 'image/webp', buffer: Buffer.from(await picture.arrayBuffer()) })
  await fill(form, typed)
  await form.getByLabel('Category').selectOption(Category)
  await goOffline(page)
  await submit.click()
  await confirm.click()
  await form.getByText('Something went wrong. Please try again.').waitFor()
  await expectKept(form, values)

  await goOnlineInSteps(page)
  await expectKept(form, values)
  await loseResponse(page, '**/api/mints')
  const lost = page.waitForEvent('requestfailed', (request) => request.method() === 'POST')
  await submit.click()
  await confirm.click()
  await lost
  await form.getByText('Something went wrong. Please try again.').waitFor()
  await expectKept(form, values)
  await submit.click()
  await confirm.click()
  await page.getByText(`"${name}" was submitted. You can follow its progress here.`).waitFor()
  const { mints } = (await apiClientOf(run, creator).call<{ mints: Mint[] }>('GET', '/api/mints')).body
  expect(mints.filter((mint) => mint.name === name).length).toBe(1)
})

test('a purchase that was sent offline, and again without an answer, is one order and goes on to the payment', async () => {
  const collector = await demoUser(run, 'collector', 2)
  const client = apiClientOf(run, collector)
  const work = await availableWork(visitor)
  const page = await visit(itemPath(work), { as: collector, expects: ['no response'] })
  const buy = page.getByRole('button', { name: 'Buy Now' })
  const terms = page.getByRole('checkbox', { name: /I declare that I have read/ })
  await terms.check()
  await goOffline(page)
  await buy.click()
  await page.getByText('You are offline. Please try again once you are connected.').waitFor()
  expect(await terms.isChecked()).toBe(true)

  await goOnline(page)
  await loseResponse(page, '**/api/nfts/test')
  await buy.click()
  await page.getByText('You have an unfinished payment for this work.').waitFor()
  await page.getByRole('link', { name: 'Continue to payment' }).click()
  await page.waitForURL('**/pay/**')
  const { orders } = (await client.call<{ orders: Order[] }>('GET', '/api/orders')).body
  const ofThisWork = orders.filter(({ state, lines }) => state === 'awaiting_payment' && lines[0]!.itemId === work._id)
  expect(ofThisWork.length).toBe(1)

  await client.cancel(ofThisWork[0]!._id)
  await waitUntil(async () => !(await visitor.item(work)).reserved)
})
