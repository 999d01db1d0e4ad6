import { createUser } from '@nifty/testkit/users'
import { itemPath, workAndOwner } from '@nifty/testkit/works'
import { expect, test } from 'vitest'
import { useBrowser } from './use-browser.ts'

const { run, visit, visitor } = await useBrowser()

test('settings that fail to save show an error and keep the input', async () => {
  const person = await createUser(run)
  const page = await visit(`/creator-profile-edit/${person.userId}`, {
    as: person,
    expects: [500],
    prepare: (context) =>
      context.route('**/api/{users,wallet}/**', (route) =>
        route.request().method() === 'GET' ? route.fallback() : route.fulfill({ status: 500 }),
      ),
  })
  const main = page.getByRole('main')
  const told = async (text: string) => {
    const message = page.getByRole('region', { name: 'Messages' }).getByRole('alert').filter({ hasText: text })
    await message.first().waitFor()
  }
  await main.getByLabel('First name').fill('Norah')
  await main.getByRole('button', { name: 'Update Profile' }).click()
  await told('Failed to update profile')
  expect(await main.getByLabel('First name').inputValue()).toBe('Norah')
  await main.getByRole('region', { name: 'Marketing notifications' }).getByRole('button', { name: 'Save' }).click()
  await told('Failed to update notifications')
  await main
    .getByLabel('Picture')
    .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: Buffer.from('a picture') })
  await main.getByRole('button', { name: 'Save Avatar' }).click()
  await told('Failed to upload avatar')
  await main.getByLabel('Old password').fill(person.password)
  for (const field of ['New password', 'Retype new password'])
    await main.getByLabel(field, { exact: true }).fill('a new password')
  await main.getByRole('button', { name: 'Save Password' }).click()
  await told('Failed to update password')
  await main.getByRole('button', { name: 'Delete account' }).click()
  await page.getByRole('button', { name: 'Yes, delete it' }).click()
  await told('Failed to delete account')
  await page.getByRole('heading', { level: 1, name: 'Edit Profile / Settings' }).waitFor()
})

test('a purchase that fails shows the state of the item in one line, without an alert', async () => {
  const { work, owner: creator } = await workAndOwner(run, visitor)
  let fails = true
  const page = await visit(itemPath(work), {
    as: creator,
    expects: [500],
    prepare: (context) =>
      context.route(/\/(set-price|remove-from-sale)$/, (route) =>
        fails ? route.fulfill({ status: 500 }) : route.fallback(),
      ),
  })
  const line = (text: string) => page.getByRole('main').getByRole('status').filter({ hasText: text })
  await page.getByRole('button', { name: 'Remove from Sale' }).click()
  await line('The work is still for sale.').waitFor()
  fails = false
  await page.getByRole('button', { name: 'Remove from Sale' }).click()
  await page.getByLabel('Enter price in €').waitFor()
  fails = true
  await page.getByRole('button', { name: 'Set for Sale' }).click()
  await line('The work is not for sale yet.').waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
  fails = false
  await page.getByRole('button', { name: 'Set for Sale' }).click()
  await page.getByText('Current Price').waitFor()
})

test('a delisted work can be withdrawn once minting has consumed the delisting', async () => {
  const { work, owner: creator } = await workAndOwner(run, visitor)
  const listed = { code: 'listed', message: 'Please remove the NFT from sale first' }
  const answers = [listed, listed, { code: 'under_way', message: 'It is on its way already' }]
  const page = await visit(itemPath(work), {
    as: creator,
    expects: [409],
    prepare: (context) =>
      context.route('**/api/withdrawals', (route) =>
        route.request().method() === 'POST'
          ? route.fulfill({ status: 409, json: { success: false, ...answers.shift() } })
          : route.fallback(),
      ),
  })
  await page.getByText('remove it from sale first').waitFor()
  expect(await page.getByRole('button', { name: 'Move to my wallet' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Remove from Sale' }).click()
  await page.getByRole('button', { name: 'Move to my wallet' }).click()
  await page.getByText('It is on its way already').waitFor()
  expect(answers).toEqual([])
  // It is for sale again, which this page does not show yet: one request, and no more.
  answers.push(listed, listed)
  await page.route('**/api/nfts/%40*/**', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), forSale: answers.length < 2 } })
  })
  await page.getByRole('button', { name: 'Move to my wallet' }).click()
  await page.getByText('It is for sale or on auction, so it cannot be moved now.').waitFor()
  expect(answers).toHaveLength(1)
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Set for Sale' }).click()
  await page.getByText('Current Price').waitFor()
})
