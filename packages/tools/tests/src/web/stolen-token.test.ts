import { connectMetamask } from '@nifty/api/auth/public'
import { createWithdrawal } from '@nifty/api/minting/public'
import { endAuction } from '@nifty/chaos/campaign/auctions'
import { createApiClient } from '@nifty/testkit/api-client'
import { holdBid, startAuction } from '@nifty/testkit/auctions'
import { phone } from '@nifty/testkit/browser'
import { linkInMail } from '@nifty/testkit/mailbox'
import { apiClientOf, createUser } from '@nifty/testkit/users'
import { installWallet } from '@nifty/testkit/wallet'
import { workAndOwner } from '@nifty/testkit/works'
import { Wallet } from 'ethers'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { sharedStore } from '../shared-store/shared-store.ts'
import { expectAccessible } from './expect-accessible.ts'
import { useBrowser } from './use-browser.ts'

const { run, visit, visitor } = await useBrowser()
const { folder } = await sharedStore()
const fresh = 'a brand new secret phrase'

/** The step-up dialog opens and refuses a wrong password. */
async function expectAsked(page: Page) {
  const dialog = page.getByRole('dialog', { name: 'Is it you?' })
  await dialog.getByLabel('Password').fill('a guess of the thief')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await dialog.getByText('Incorrect password.').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'hidden' })
}

test('a stolen token links no wallet, changes no address, exports, deletes and withdraws nothing, and its owner ends it by mail', async () => {
  const owner = await createUser(run)
  const settings = `/creator-profile-edit/${owner.userId}`
  const client = createApiClient(run, owner.token)
  const profile = async () => (await client.call('GET', `/api/users/change/${owner.userId}`)).body
  const { work, owner: seller } = await workAndOwner(run, visitor, ({ offers, auction }) => !offers && !auction)
  const price = work.price!
  await startAuction(apiClientOf(run, seller), work, price)
  const { orderId: leaderOrder } = await holdBid(run, { client, work, limit: price, price })
  const thief = await visit(settings, {
    as: owner,
    expects: [400, 401, 403],
    prepare: (context) => installWallet(context, run, Wallet.createRandom()),
  })

  await thief.getByRole('button', { name: 'Connect MetaMask' }).click()
  await expectAsked(thief)
  await thief.getByRole('button', { name: 'Show security events' }).click()
  await expectAsked(thief)
  await thief.getByRole('button', { name: 'Download your data' }).click()
  await expectAsked(thief)
  await thief.getByRole('main').getByLabel('Email').fill(`thief-${owner.email}`)
  await thief.getByRole('button', { name: 'Update Profile' }).click()
  await expectAsked(thief)
  await thief.getByRole('button', { name: 'Delete account' }).click()
  await thief.getByRole('button', { name: 'Yes, delete it' }).click()
  await expectAsked(thief)
  const another = { userId: owner.userId, metamaskAddress: Wallet.createRandom().address }
  expect((await client.send(connectMetamask, { body: another })).body).toMatchObject({ code: 'step_up_required' })
  const token = { contract: another.metamaskAddress, identifier: '1' }
  expect((await client.send(createWithdrawal, { body: token })).body).toMatchObject({ code: 'step_up_required' })
  expect(await profile()).toMatchObject({ email: owner.email, pendingEmail: null, metamaskAddress: null })

  // What a bearer token reaches: it switches the mails about own sales off.
  const quiet = { notifications: { message: false } }
  expect((await client.call('PUT', `/api/users/${owner.userId}`, quiet)).status).toBe(200)

  // What the owner gets by mail, and does with it on a phone. Opening the link alone changes nothing.
  const link = await linkInMail(run, owner.email, /https?:\/\/\S+\/freeze-account#\S+/)
  const page = await visit(link, { viewport: phone, expects: [403] })
  await page.getByRole('heading', { level: 1, name: 'Freeze your account?' }).waitFor()
  await expect.poll(() => page.url()).toMatch(/\/freeze-account$/)
  expect(await profile()).toHaveProperty('email')
  await page.getByRole('button', { name: 'Freeze my account' }).click()
  await page.getByRole('heading', { level: 1, name: 'Your account is frozen' }).waitFor()
  await page.getByText('A bid of this account leads an auction, and stays.').waitFor()
  await expectAccessible(page)
  await endAuction(folder, { itemId: work._id, leaderOrder })

  // The session of the thief has ended, and log-ins are refused.
  await thief.reload()
  await thief.waitForURL('**/lock-screen')
  const locked = await createApiClient(run).call('POST', '/api/auth/login', owner)
  expect(locked).toMatchObject({ status: 403, body: { code: 'account_frozen' } })
  // At the lock screen the right password of a frozen account is not called incorrect.
  await thief.getByLabel('Password', { exact: true }).fill(owner.password)
  await thief.getByRole('button', { name: 'Sign in' }).click()
  await thief.getByText('This account is frozen.').waitFor()

  // The owner returns by a reset, which unlinks the thief's wallet, and links another one.
  await createApiClient(run).call('POST', '/api/password-reset/request', { email: owner.email })
  const resetLink = await linkInMail(run, owner.email, /https?:\/\/\S+\/reset-password\/\S+/)
  const reset = { token: resetLink.split('/').at(-1), newPassword: fresh }
  expect((await createApiClient(run).call('POST', '/api/password-reset/reset', reset)).status).toBe(200)
  const { body } = await createApiClient(run).call('POST', '/api/auth/login', { email: owner.email, password: fresh })
  const back = createApiClient(run, body.token, body.stepUp)
  expect((await back.send(connectMetamask, { body: another })).status).toBe(200)
})
