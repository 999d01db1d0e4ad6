import { phone } from '@nifty/testkit/browser'
import { createUser, type User } from '@nifty/testkit/users'
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible } from './expect-accessible.ts'
import { useBrowser } from './use-browser.ts'

const { run, visit } = await useBrowser()
const settingsOf = ({ userId }: User) => `/creator-profile-edit/${userId}`
const section = (page: Page) => page.getByRole('region', { name: 'Second factor' })
const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) }).generate()

/** Completes the step-up dialog by keyboard. */
async function stepUp(page: Page, { password }: User, code?: string) {
  const dialog = page.getByRole('dialog', { name: 'Is it you?' })
  await dialog.getByLabel('Password').focus()
  await page.keyboard.type(password)
  if (code) {
    await page.keyboard.press('Tab')
    await page.keyboard.type(code)
  }
  await page.keyboard.press('Enter')
}

const focusedText = (page: Page) => page.evaluate('document.activeElement?.textContent')

async function enterPassword(page: Page, { email, password }: User) {
  await page.getByRole('main').getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
}

test('an authenticator app is set up on a phone by keyboard; log-in asks for its code, and takes a recovery code', async () => {
  const person = await createUser(run)
  const page = await visit(settingsOf(person), { as: person, viewport: phone, expects: [400, 403] })
  await section(page).getByText('Off: logging in needs your password only.').waitFor()

  await section(page).getByRole('button', { name: 'Set up an authenticator app' }).press('Enter')
  await stepUp(page, person)
  await section(page).getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
  expect(await focusedText(page)).toBe('Set up an authenticator app')
  const key = await section(page)
    .getByText(/^([A-Z2-7]{4} ?){8}/)
    .innerText()
  await expectAccessible(page)
  await section(page).getByLabel('Code', { exact: true }).focus()
  await page.keyboard.type('000000')
  await page.keyboard.press('Enter')
  await section(page).getByText('This code is wrong, or was used already.').waitFor()
  await section(page).getByLabel('Code', { exact: true }).fill(codeOf(key))
  await page.keyboard.press('Enter')

  await page.getByText('Second factor turned on').waitFor()
  const codes = await section(page).getByRole('list').getByRole('listitem').allInnerTexts()
  expect(codes).toHaveLength(10)
  await expectAccessible(page)
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  await section(page).getByRole('button', { name: 'I have saved them' }).press('Enter')
  await section(page).getByText('10 recovery codes are left').waitFor()

  const fresh = await visit('/login', { expects: [400, 403] })
  await enterPassword(fresh, person)
  await fresh.getByText('One more step.').waitFor()
  await expectAccessible(fresh)
  await fresh.keyboard.type('000000')
  await fresh.keyboard.press('Enter')
  await fresh.getByText('This code is wrong, or was used already.').waitFor()
  await fresh.getByLabel('Code', { exact: true }).fill(codes[0]!)
  await fresh.keyboard.press('Enter')
  await fresh.getByText('Logged in successfully').waitFor()

  await fresh.goto('/lock-screen')
  await fresh.getByLabel('Password', { exact: true }).fill(person.password)
  await fresh.getByRole('button', { name: 'Sign in' }).click()
  await fresh.getByLabel('Code', { exact: true }).fill(codes[1]!)
  await fresh.keyboard.press('Enter')
  await fresh.waitForURL((url) => url.pathname === '/')

  await fresh.goto(settingsOf(person))
  await section(fresh).getByText('8 recovery codes are left').waitFor()
  await section(fresh).getByRole('button', { name: 'Turn off' }).click()
  await fresh.getByRole('button', { name: 'Yes, turn it off' }).click()
  await stepUp(fresh, person, codes[2]!)
  await fresh.getByText('Second factor turned off').waitFor()
  await section(fresh).getByText('Off: logging in needs your password only.').waitFor()
})

test('a step-up that its owner gives up leaves the page where it was, with the focus on the button', async () => {
  const person = await createUser(run)
  const page = await visit(settingsOf(person), { as: person, viewport: phone, expects: [403] })
  const setUp = section(page).getByRole('button', { name: 'Set up an authenticator app' })
  await setUp.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Is it you?' })
  await dialog.waitFor()
  const place = await page.evaluate('scrollY')

  await page.keyboard.press('Escape')

  await dialog.waitFor({ state: 'hidden' })
  await expect.poll(() => focusedText(page)).toBe('Set up an authenticator appOne moment...')
  expect(await page.evaluate('scrollY')).toBe(place)
  expect(place).toBeGreaterThan(1_000)
})
