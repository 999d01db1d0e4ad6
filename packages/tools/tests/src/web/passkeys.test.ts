import { phone } from '@nifty/testkit/browser'
import { createUser } from '@nifty/testkit/users'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findings } from '../screens/findings.ts'
import { useBrowser } from './use-browser.ts'

const { run, visit } = await useBrowser()
const section = (page: Page) => page.getByRole('region', { name: 'Passkeys' })

/** Gives the page an authenticator of Chromium, which keeps passkeys and verifies its user. */
async function addAuthenticator(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { session, authenticatorId }
}

test('a passkey is added, renamed, logs in, confirms a change and is removed', async () => {
  const person = await createUser(run)
  const page = await visit('/login', { viewport: phone, expects: [400, 403] })
  const { session, authenticatorId } = await addAuthenticator(page)
  await page.getByRole('main').getByLabel('Email', { exact: true }).fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.getByText('Logged in successfully').waitFor()

  await page.goto(`/creator-profile-edit/${person.userId}`)
  await section(page).getByText('Your account has no passkey.').waitFor()
  await section(page).getByLabel('Name of the new passkey').fill('Laptop')
  await section(page).getByRole('button', { name: 'Add a passkey' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Is it you?' })
  await dialog.getByLabel('Password').fill(person.password)
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText('Passkey added').waitFor()
  await section(page).getByText('not used yet').waitFor()

  await section(page).getByRole('button', { name: 'Rename Laptop' }).click()
  await page.getByLabel('New name').fill('Old laptop')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await section(page).getByText('Old laptop').first().waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  expect(await findings(page, 'main')).toEqual([])

  await page.evaluate('localStorage.clear()')
  await page.goto('/login')
  await page.getByRole('button', { name: 'Log in with a passkey' }).press('Enter')
  await page.getByText('Logged in successfully').waitFor()

  // A fresh page holds no step-up token.
  await page.goto(`/creator-profile-edit/${person.userId}`)
  await section(page).getByText('last used').waitFor()
  await section(page).getByRole('button', { name: 'Remove Old laptop' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Yes, remove it' }).click()
  await dialog.getByRole('button', { name: 'Use your passkey' }).click()
  await page.getByText('Passkey removed').waitFor()
  await section(page).getByText('Your account has no passkey.').waitFor()

  // The device still has it, and the store does not.
  const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId })
  expect(credentials).toHaveLength(1)
  await page.evaluate('localStorage.clear()')
  await page.goto('/login')
  await page.getByRole('button', { name: 'Log in with a passkey' }).click()
  await page.getByText('This passkey was not accepted.').waitFor()
})
