import { connectMetamask, getCurrentUser } from '@nifty/api/auth/public'
import { createApiClient, logIn } from '@nifty/testkit/api-client'
import { phone } from '@nifty/testkit/browser'
import { apiClientOf, createUser, type User } from '@nifty/testkit/users'
import { installWallet } from '@nifty/testkit/wallet'
import { workAndOwner } from '@nifty/testkit/works'
import { Wallet } from 'ethers'
import { expect, test } from 'vitest'
import { stepUpOn } from './step-up.ts'
import { useBrowser } from './use-browser.ts'

const { run, visit, visitor } = await useBrowser()
const settingsOf = ({ userId }: { userId: string }) => `/creator-profile-edit/${userId}`

const profileOf = async (person: User) =>
  (await apiClientOf(run, person).call('GET', `/api/users/change/${person.userId}`)).body

/** The smallest picture there is: one pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)

test('a rejection in the wallet links nothing', async () => {
  const person = await createUser(run)
  const { privateKey } = Wallet.createRandom()
  const page = await visit(settingsOf(person), {
    as: person,
    expects: [403],
    prepare: (context) => installWallet(context, run, { privateKey, signs: false }),
  })
  await page.getByRole('button', { name: 'Connect MetaMask' }).click()
  await page.getByText('Failed to connect MetaMask.').waitFor()
  expect(await page.getByText('MetaMask connected successfully!').count()).toBe(0)
  expect(await profileOf(person)).toMatchObject({ metamaskAddress: null })
})

test('without a wallet extension the page shows how to get one', async () => {
  const person = await createUser(run)
  const page = await visit(settingsOf(person), { as: person })
  await page.getByRole('button', { name: 'Connect MetaMask' }).click()
  await page.getByText('MetaMask is not installed. Please install it and try again.').waitFor()
})

test('details, notifications and avatar are saved and survive a reload', async () => {
  const person = await createUser(run)
  const page = await visit(settingsOf(person), { as: person })
  const main = page.getByRole('main')
  await main.getByRole('button', { name: 'Save Avatar' }).click()
  await page.getByText('Please select an image to upload.').waitFor()
  await main.getByLabel('Picture').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: pixel })
  await main.getByRole('button', { name: 'Save Avatar' }).click()
  await page.getByText('Avatar updated successfully').waitFor()

  await main.getByLabel('First name').fill('Norah')
  await main.getByLabel('Description').fill('Collects what glows.')
  await main.getByRole('button', { name: 'Update Profile' }).click()
  await page.getByText('Profile updated successfully').waitFor()
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Account notifications' }).click()
  await main.getByRole('checkbox', { name: 'When a work of mine is sold' }).setChecked(true)
  expect(await main.getByRole('checkbox', { name: 'Weekly jobs' }).isVisible()).toBe(false)
  const news = main.getByRole('checkbox', { name: 'The newsletter' })
  await news.setChecked(true)
  await main.getByRole('checkbox', { name: 'No newsletter' }).check()
  expect(await news.isChecked()).toBe(false)
  await main.getByRole('region', { name: 'Account notifications' }).getByRole('button', { name: 'Save' }).click()
  await page.getByText('Notifications updated successfully').waitFor()

  await page.reload()
  await expect.poll(() => main.getByLabel('First name').inputValue()).toBe('Norah')
  expect(await main.getByLabel('Description').inputValue()).toBe('Collects what glows.')
  expect(await main.getByRole('checkbox', { name: 'When a work of mine is sold' }).isChecked()).toBe(true)
  await page.getByRole('button', { name: 'Account of Norah Newcomer' }).waitFor()
})

test('an account is deleted after a confirmation and leads to the goodbye page', async () => {
  const person = await createUser(run)
  const page = await visit(settingsOf(person), { as: person, expects: [403] })
  await page.getByRole('button', { name: 'Delete account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete account' })
  await dialog.getByText('Are you sure you want to delete your account? This action is irreversible.').waitFor()
  await dialog.getByRole('button', { name: 'Keep it' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Delete account' }).click()
  await dialog.getByRole('button', { name: 'Yes, delete it' }).click()
  await stepUpOn(page, person.password)
  await page.getByText('Account deleted successfully').waitFor()
  await page.waitForURL('**/goodbye')
  await page.getByRole('heading', { level: 1, name: 'Goodbye!' }).waitFor()
})

test('an account with works in custody that was changed lately is not deleted, another is asked to give them up', async () => {
  const { owner } = await workAndOwner(run, visitor)
  const page = await visit(settingsOf(owner), { as: owner, viewport: phone, expects: [403, 409] })
  await page.getByRole('button', { name: 'Delete account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete account' })
  await dialog.getByRole('button', { name: 'Yes, delete it' }).click()
  await stepUpOn(page, owner.password)
  await dialog.getByRole('alert').getByText('For your safety it cannot be deleted').waitFor()
  await dialog.getByRole('button', { name: 'Keep it' }).click()
  const refuse = (code: string, details = {}) =>
    page.route('**/api/users/*', (route) =>
      route.fulfill({ status: 409, json: { success: false, code, details, message: 'The account is not deleted.' } }),
    )
  await refuse('gift_waits')
  await page.getByRole('button', { name: 'Delete account' }).click()
  await dialog.getByRole('button', { name: 'Yes, delete it' }).click()
  await dialog.getByRole('alert').getByText('A gift of yours waits for its recipient.').waitFor()
  await dialog.getByRole('button', { name: 'Keep it' }).click()
  await refuse('bid_leads', { bids: [{ auctionId: 'a'.repeat(24), name: 'Quiet Water', role: 'seller' }] })
  await page.getByRole('button', { name: 'Delete account' }).click()
  await dialog.getByRole('button', { name: 'Yes, delete it' }).click()
  await dialog.getByRole('alert').getByText('A bid leads your own auction of “Quiet Water”.').waitFor()
  await dialog.getByRole('button', { name: 'Keep it' }).click()
  await refuse('works_in_custody')
  await page.getByRole('button', { name: 'Delete account' }).click()
  await dialog.getByRole('button', { name: 'Yes, delete it' }).click()
  await dialog.getByRole('alert').getByText('The store keeps works for you.').waitFor()
  await dialog.getByRole('button', { name: 'Give them up and delete' }).waitFor()
  await dialog.getByRole('button', { name: 'Keep it' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.reload()
  await page.getByRole('button', { name: 'Delete account' }).waitFor()
})

test('another e-mail address asks for the password, once in ten minutes and never with a token in storage', async () => {
  const person = await createUser(run)
  const page = await visit(settingsOf(person), { as: person, viewport: phone, expects: [400, 403] })
  const save = async (email: string) => {
    await page.getByRole('main').getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Update Profile' }).click()
  }
  const dialog = page.getByRole('dialog', { name: 'Is it you?' })

  await save(`one-${person.email}`)
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  expect((await profileOf(person)).pendingEmail).toBeNull()

  await save(`one-${person.email}`)
  await stepUpOn(page, 'not the password')
  await dialog.getByText('Incorrect password.').waitFor()
  await stepUpOn(page, person.password)
  await page.getByText('Profile updated successfully').waitFor()
  expect((await profileOf(person)).pendingEmail).toBe(`one-${person.email}`)

  await save(`two-${person.email}`)
  await expect.poll(async () => (await profileOf(person)).pendingEmail).toBe(`two-${person.email}`)
  expect(await dialog.count()).toBe(0)
  const stored = await page.evaluate(() => Object.keys(localStorage).concat(Object.keys(sessionStorage)))
  expect(stored.sort()).toEqual(['changed_at', 'token', 'userId', 'username'])
})

test('the linked wallet signs in place of the password', async () => {
  const person = await createUser(run)
  const { privateKey, address } = Wallet.createRandom()
  const first = await visit(settingsOf(person), {
    as: person,
    prepare: (context) => installWallet(context, run, { privateKey }),
    expects: [403],
  })
  // With a step-up, so that the wallet is trusted at once.
  await apiClientOf(run, person).send(connectMetamask, { body: { userId: person.userId, metamaskAddress: address } })
  await first.reload()
  await first.getByRole('main').getByLabel('Email').fill(`new-${person.email}`)
  await first.getByRole('button', { name: 'Update Profile' }).click()
  await first.getByRole('button', { name: 'Sign with your wallet' }).waitFor()
  await first.getByRole('button', { name: 'Sign with your wallet' }).click()
  await first.getByText('Profile updated successfully').waitFor()
  expect((await profileOf(person)).pendingEmail).toBe(`new-${person.email}`)
})

test('sessions are listed, and logged out one by one or all others at once, by keyboard', async () => {
  const person = await createUser(run)
  const isLoggedIn = async (token: string) => (await createApiClient(run, token).send(getCurrentUser)).status === 200
  const tokens = [
    (await logIn(run, person)).token!,
    (await logIn(run, person)).token!,
    (await logIn(run, person)).token!,
  ]
  const page = await visit(settingsOf(person), { as: person, viewport: phone })
  const section = page.getByRole('region', { name: 'Sessions' })
  const rows = section.getByRole('listitem')
  await expect.poll(() => rows.count()).toBe(4)
  await rows.filter({ hasText: 'this session' }).getByText('network 127.0.0.0/24').waitFor()

  await rows.first().getByRole('button', { name: 'Log out of Unknown browser' }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => rows.count()).toBe(3)
  expect(await isLoggedIn(tokens[2]!)).toBe(false)
  await section.locator('ul:focus').waitFor()

  await section.getByRole('button', { name: 'Log out of all other sessions' }).focus()
  await page.keyboard.press('Enter')
  await section.getByText('You are logged in nowhere else.').waitFor()
  expect(await Promise.all([...tokens, person.token].map(isLoggedIn))).toEqual([false, false, false, true])

  await section.getByRole('button', { name: 'Log out of this session' }).click()
  await page.waitForURL('**/login')
  expect(await isLoggedIn(person.token)).toBe(false)
})

test('the settings of another account lead to the own ones', async () => {
  const [person, other] = await Promise.all([createUser(run), createUser(run)])
  const page = await visit(settingsOf(other), { as: person })
  await page.waitForURL(`**${settingsOf(person)}`)
})
