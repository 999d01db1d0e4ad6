import { phone } from '@nifty/testkit/browser'
import { createUser, demoUser } from '@nifty/testkit/users'
import { expect, test } from 'vitest'
import { useBrowser } from './use-browser.ts'

const { run, visit } = await useBrowser()

test('each creator has a name, a username and at most two works that link to their pages', async () => {
  const page = await visit('/creators', { viewport: phone })
  const card = page.getByRole('article').first()
  await card.getByRole('heading', { level: 2 }).waitFor()
  await card.getByText(/^@/).waitFor()
  const works = card.locator('a[href^="/item-detail/"]')
  await expect.poll(() => works.count()).toBeGreaterThan(0)
  expect(await works.count()).toBeLessThanOrEqual(2)
  await works.first().click()
  await page.waitForURL('**/item-detail/**')
})

test('a profile shows its creator and their works to logged-in users', async () => {
  const creator = await demoUser(run, 'creator')
  const page = await visit(`/creator-profile/${creator.username}`, { as: await createUser(run) })
  await page.getByText(`Created by ${creator.username}`).waitFor()
  await page.getByRole('heading', { name: 'Discover Items' }).waitFor()
  await page.getByRole('article').first().waitFor()
  expect(await page.getByRole('link', { name: 'Edit profile' }).count()).toBe(0)
})

test('the own profile has no buy buttons and a link to the settings', async () => {
  const creator = await demoUser(run, 'creator')
  const page = await visit(`/creator-profile/${creator.username}`, { as: creator })
  await page.getByRole('article').first().waitFor()
  await page.getByRole('link', { name: 'Edit profile' }).waitFor()
  expect(await page.getByRole('link', { name: /^Buy Now/ }).count()).toBe(0)
})

test('a profile without works is empty, an unknown one is not found, and a visitor is sent to the log-in', async () => {
  const person = await createUser(run)
  const page = await visit(`/creator-profile/${person.username}`, { as: person, expects: [404] })
  await page.getByText('No NFTs available').waitFor()
  await page.goto('/creator-profile/@nobody-at-all')
  await page.getByRole('heading', { level: 1, name: 'User not Found' }).waitFor()
  const visitor = await visit(`/creator-profile/${person.username}`)
  await visitor.waitForURL('**/login')
})
