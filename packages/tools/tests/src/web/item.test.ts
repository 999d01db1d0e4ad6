import { desktop, phone } from '@nifty/testkit/browser'
import { apiClientOf, createUser, demoUser } from '@nifty/testkit/users'
import { availableWork, itemPath } from '@nifty/testkit/works'
import type { BrowserContext } from 'playwright-core'
import { expect, test } from 'vitest'
import { useBrowser } from './use-browser.ts'

const { run, visit, visitor } = await useBrowser()

test.each([desktop, phone])(
  'at $width px a buyer sees the work, its attributes and its owner, and Buy Now waits for the terms',
  async (viewport) => {
    const work = await availableWork(visitor, ({ description }) => description !== '')
    const page = await visit(itemPath(work), { as: await demoUser(run, 'collector'), viewport })
    await page.getByRole('heading', { level: 1, name: work.name }).waitFor()
    await page.getByRole('img', { name: work.name }).first().waitFor()
    for (const text of [
      'Market Price',
      'Contract Address',
      'Token ID',
      'Blockchain',
      'Polygone',
      'Owner',
      'Provenance',
    ])
      await page.getByRole('main').getByText(text, { exact: true }).first().waitFor()
    await page.getByText(work.description).waitFor()
    expect(await page.getByRole('link', { name: 'From this collection' }).getAttribute('href')).toContain(
      '/creator-profile/',
    )
    const buy = page.getByRole('button', { name: /Buy Now/ }).filter({ visible: true })
    expect(await buy.isDisabled()).toBe(true)
    await page.getByRole('checkbox', { name: /I declare that I have read, understand and accept the/ }).check()
    expect(await buy.isEnabled()).toBe(true)
    expect(await page.getByRole('link', { name: 'Terms and Conditions' }).getAttribute('target')).toBe('_blank')
    expect(await page.getByRole('dialog', { name: 'Please Connect' }).isVisible()).toBe(false)
  },
)

test('a work is shown with its actions also while the own offers do not arrive', async () => {
  const work = await availableWork(visitor)
  const page = await visit(itemPath(work), {
    as: await demoUser(run, 'collector'),
    prepare: (context) => context.route('**/api/orders?kind=offers', () => {}),
  })
  const main = page.getByRole('main')
  // Before the request itself ends, after 20 s.
  await main.getByRole('button', { name: `Share ${work.name}` }).waitFor({ timeout: 15_000 })
  await main.getByRole('button', { name: `Favourite: ${work.name}` }).waitFor()
  await main.getByText('Token ID', { exact: true }).waitFor()
})

test('a long token id is shown by its first and last five characters', async () => {
  const work = await availableWork(visitor)
  const identifier = '123456789012345678901234567890'
  const page = await visit(itemPath(work), {
    as: await demoUser(run, 'collector'),
    prepare: (context) =>
      context.route('**/api/nfts/%40*/**', async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, json: { ...(await response.json()), identifier } })
      }),
  })
  await page.getByText(/^12345(…|\.\.\.)67890/).waitFor()
})

test('a work without contract address and token id says so', async () => {
  const work = await availableWork(visitor)
  const page = await visit(itemPath(work), {
    as: await demoUser(run, 'collector'),
    prepare: (context) =>
      context.route('**/api/nfts/%40*/**', async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, json: { ...(await response.json()), contract: '', identifier: '' } })
      }),
  })
  await page.getByText('No contract address').waitFor()
  await page.getByText('Unavailable').waitFor()
})

test('a user without a wallet gets the connect dialog and can dismiss it', async () => {
  const person = await createUser(run)
  const page = await visit(itemPath(await availableWork(visitor)), { as: person })
  const dialog = page.getByRole('dialog', { name: 'Please Connect' })
  await dialog.getByText('To access this feature, please connect your Metamask account.').waitFor()
  const link = dialog.getByRole('link', { name: 'Connect Metamask' })
  expect(await link.getAttribute('href')).toBe(`/creator-profile-edit/${person.userId}`)
  expect(await link.getAttribute('target')).toBe('_blank')
  expect(await dialog.locator('.button--primary').allTextContents()).toEqual(['Keep it here for me'])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await page.getByText('Market Price').waitFor()
})

test('an owner without a wallet gets the connect dialog once in a tab', async () => {
  const person = await createUser(run)
  const work = await availableWork(visitor)
  const mine = (context: BrowserContext) =>
    context.route('**/api/nfts/%40*/**', async (route) => {
      const response = await route.fetch()
      const owner = { username: person.username, avatar: null, firstName: 'Nora', lastName: 'Newcomer' }
      await route.fulfill({
        response,
        json: { ...(await response.json()), owner, ownerUsername: person.username },
      })
    })
  const page = await visit(itemPath(work), { as: person, prepare: mine })
  const dialog = page.getByRole('dialog', { name: 'Please Connect' })
  await dialog.getByRole('button', { name: 'Just looking' }).click()
  await page.reload()
  await page.getByText('To gain access to selling your NFTs, please contact us.').waitFor()
  expect(await dialog.isVisible()).toBe(false)
})

test('a visitor gets the log-in dialog, and Login leads there', async () => {
  const page = await visit(itemPath(await availableWork(visitor)))
  const dialog = page.getByRole('dialog', { name: 'Please Connect' })
  await dialog.getByText('To access this feature, you need to log in.').waitFor()
  await dialog.getByRole('link', { name: 'Login' }).click()
  await page.getByRole('heading', { level: 1, name: 'Login' }).waitFor()
})

test('an unknown item shows NFT not found, and /item-detail alone is explore', async () => {
  const page = await visit('/item-detail/@nobody/0x0000000000000000000000000000000000000001/1', { expects: [404] })
  await page.getByRole('heading', { name: 'NFT not found' }).waitFor()
  await page.goto('/item-detail')
  await page.getByRole('heading', { level: 1, name: 'Explore Items' }).waitFor()
})

test('a reserved work shows until when to other users, and its release without a reload', async () => {
  const person = await demoUser(run, 'collector', 2)
  const buyer = apiClientOf(run, person)
  const work = await availableWork(visitor)
  const page = await visit(itemPath(work), { as: await demoUser(run, 'collector') })
  await page.getByText('Market Price').waitFor()
  const { body } = await buyer.buy(work)
  await page.getByText('Someone is paying for this work right now.').waitFor({ timeout: 30_000 })
  await page.getByText(/Available again in \d\d?:\d\d at the latest/).waitFor()
  await buyer.cancel(body.orderId)
  await page.getByText('Someone is paying for this work right now.').waitFor({ state: 'hidden', timeout: 30_000 })
  await page
    .getByRole('button', { name: /Buy Now/ })
    .filter({ visible: true })
    .waitFor()
})

test('while the work loads there is a spinner', async () => {
  const page = await visit('/')
  await page.route('**/api/nfts/%40*/**', () => {})
  await page.goto(itemPath(await availableWork(visitor)))
  await page.getByRole('status').getByText('Loading NFT').waitFor({ state: 'attached' })
})
