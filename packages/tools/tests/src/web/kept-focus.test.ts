import { createUser, demoUser } from '@nifty/testkit/users'
import { availableWork, itemPath } from '@nifty/testkit/works'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useBrowser } from './use-browser.ts'

const { run, visit, visitor } = await useBrowser()

const focused = (page: Page) => page.evaluate<string>('document.activeElement.textContent')
const card = (page: Page) => page.getByRole('region', { name: 'Continue where you were' })

/** The profile of a visitor whom a log-in has led away from a work. */
async function profileWithCard() {
  const { email, password } = await createUser(run)
  const page = await visit(itemPath(await availableWork(visitor)))
  await page.getByRole('dialog', { name: 'Please Connect' }).getByRole('link', { name: 'Login' }).click()
  await page.getByRole('main').getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click()
  await card(page).waitFor()
  return page
}

test('a part of the page that is dismissed hands the focus to the heading', async () => {
  const page = await profileWithCard()
  await card(page).getByRole('button', { name: 'Dismiss' }).press('Enter')
  await card(page).waitFor({ state: 'detached' })
  await page.locator('h1:focus').waitFor()
})

test('a focus that was taken away by a click beside all controls stays away', async () => {
  const page = await profileWithCard()
  await card(page).getByRole('button', { name: 'Dismiss' }).focus()
  await page.getByRole('contentinfo').getByText('Contact Details').click()
  await card(page).evaluate((element) => element.remove())
  await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('BODY')
})

test('a gift that is none any more hands the focus to the choice that replaces it', async () => {
  const page = await visit(itemPath(await availableWork(visitor)), { as: await demoUser(run, 'collector', 2) })
  await page.getByRole('button', { name: 'Buy it as a gift' }).press('Enter')
  await page.getByLabel('E-mail address of the recipient').fill('friend@people.example')
  await page.getByRole('button', { name: 'Use for this purchase' }).press('Enter')
  await expect.poll(() => focused(page)).toBe('Change the gift')
  await page.getByRole('button', { name: 'It is for me' }).press('Enter')
  await expect.poll(() => focused(page)).toContain('Buy it as a gift')
})

test('a sentence that replaces its button gets the focus', async () => {
  const page = await visit('/', { as: await createUser(run) })
  await page.getByRole('button', { name: 'Send the mail again' }).press('Enter')
  await page.locator('[role=status]:focus', { hasText: 'Check your mail box!' }).waitFor()
})
