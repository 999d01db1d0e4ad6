import { randomUUID } from 'node:crypto'
import { phone } from '@nifty/testkit/browser'
import { linkInMail } from '@nifty/testkit/mailbox'
import { createUser } from '@nifty/testkit/users'
import { expect, test } from 'vitest'
import { stopClock, useBrowser } from './use-browser.ts'

const { run, visit } = await useBrowser()

test('log-in stores the session and leads to the own profile', async () => {
  const person = await createUser(run)
  const page = await visit('/login', { expects: [401] })
  const main = page.getByRole('main')
  await main.getByLabel('Email', { exact: true }).fill(person.email)
  await main.getByLabel('Password').fill('not this one')
  await main.getByRole('button', { name: 'Login' }).click()
  expect(await main.getByRole('alert').textContent()).not.toBe('')
  await main.getByLabel('Password').fill(person.password)
  await main.getByRole('button', { name: 'Login' }).click()
  await page.getByText('Logged in successfully').waitFor()
  await page.waitForURL(`**/creator-profile/${encodeURIComponent(person.username)}`)
  expect(await page.evaluate("[localStorage.getItem('userId'), localStorage.getItem('username')]")).toEqual([
    person.userId,
    person.username,
  ])
})

test('a button shows the typed password and hides it again', async () => {
  const page = await visit('/login', { viewport: phone })
  const password = page.getByRole('main').getByLabel('Password')
  await password.fill('typed blindly')
  expect(await password.getAttribute('type')).toBe('password')
  await page.getByRole('button', { name: 'Show' }).click()
  expect(await password.getAttribute('type')).toBe('text')
  await page.getByRole('button', { name: 'Hide' }).click()
  expect(await password.getAttribute('type')).toBe('password')
  expect(await password.inputValue()).toBe('typed blindly')
})

test('log-in leads to sign-up and to a forgotten password', async () => {
  const page = await visit('/login', { viewport: phone })
  await page.getByRole('checkbox', { name: 'Remember me' }).waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Sign up' }).click()
  await page.getByRole('heading', { level: 1, name: 'Signup' }).waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'Forgot password ?' }).click()
  await page.getByRole('heading', { level: 1, name: 'Reset password' }).waitFor()
})

test('sign-up requires the terms and the same password twice, then shows the thank-you page', async () => {
  const page = await visit('/signup', { viewport: phone })
  const main = page.getByRole('main')
  const name = randomUUID().slice(0, 8)
  const fields = { 'First name': 'Nora', 'Last name': 'New', Username: 'taken', Password: 'long enough' }
  for (const [label, value] of Object.entries(fields)) await main.getByLabel(label, { exact: true }).fill(value)
  await main.getByLabel('Email', { exact: true }).fill(`${name}@people.example`)
  await main.getByLabel('Repeat password').fill('something else')
  await main.getByRole('button', { name: 'Sign up' }).click()
  await main.getByText('Please accept the Terms and Conditions').waitFor()
  await main.getByRole('checkbox').check()
  await main.getByRole('button', { name: 'Sign up' }).click()
  await main.getByText('Passwords do not match', { exact: true }).waitFor()
  await main.getByLabel('Repeat password').fill('long enough')
  await main.getByLabel('Username').fill(name)
  await main.getByRole('button', { name: 'Sign up' }).click()
  await page.getByText('Registered successfully. Check your email.').waitFor()
  await page.getByRole('heading', { name: 'Thank You for your Registration!' }).waitFor()
  await page.getByText('Check your mail box!').waitFor()
})

test('a taken username is named beside its field', async () => {
  const page = await visit('/signup', { expects: [400] })
  const main = page.getByRole('main')
  await main.getByLabel('Username').fill((await createUser(run)).username)
  await main.getByLabel('Email', { exact: true }).fill(`${randomUUID()}@people.example`)
  await main.getByLabel('Password', { exact: true }).fill('long enough')
  await main.getByLabel('Repeat password').fill('long enough')
  await main.getByRole('checkbox').check()
  await main.getByRole('button', { name: 'Sign up' }).click()
  const note = await main.getByLabel('Username').getAttribute('aria-describedby')
  await main.locator(`[id="${note}"]`).getByText('This username is not available').waitFor()
  expect(await main.getByText('This username is not available').count()).toBe(1)
  expect(await main.getByLabel('Username').evaluate((input: any) => input.ownerDocument.activeElement === input)).toBe(
    true,
  )
})

test('a username of other characters is refused with those that it may have', async () => {
  const page = await visit('/signup', { expects: [400] })
  const main = page.getByRole('main')
  const characters = 'Letters a to z, digits, “_”, “.” and “-”, at most 30.'
  await main.getByText(characters).waitFor()
  await main.getByLabel('Username').fill('Jane Doe')
  await main.getByLabel('Email', { exact: true }).fill(`${randomUUID()}@people.example`)
  await main.getByLabel('Password', { exact: true }).fill('long enough')
  await main.getByLabel('Repeat password').fill('long enough')
  await main.getByRole('checkbox').check()
  await main.getByRole('button', { name: 'Sign up' }).click()
  await main.getByRole('alert').getByText(characters).first().waitFor()
})

test('password managers get the e-mail address as the user name', async () => {
  const person = await createUser(run)
  const page = await visit(`/creator-profile-edit/${person.userId}`, { as: person })
  const managed = page.locator('input[autocomplete="username"]')
  await expect
    .poll(() => managed.evaluateAll((inputs) => inputs.map((input: any) => input.value)))
    .toEqual([person.email, person.email])
  for (const path of ['/login', '/signup', '/reset-pass', '/forgot-password']) {
    await page.goto(run.url + path)
    const email = page.getByRole('main').getByLabel('Email', { exact: true })
    expect(await email.getAttribute('autocomplete'), path).toBe('username')
    expect(await managed.count(), path).toBe(1)
  }
})

test('an address that the browser does not take for one is sent as the store reads it', async () => {
  const person = await createUser(run)
  const page = await visit('/reset-pass')
  const email = page.getByRole('main').getByLabel('Email', { exact: true })
  await email.fill(person.email.replace('@', '＠'))
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByText('If an account exists for this email, a reset link has been sent.').waitFor()
  expect(await email.inputValue()).toBe(person.email)
})

test('a device whose clock is a day ahead is told so at the log-in', async () => {
  const person = await createUser(run)
  const tomorrow = Date.now() + 24 * 60 * 60 * 1000
  const page = await visit('/login', { prepare: (context) => context.clock.setFixedTime(tomorrow) })
  const main = page.getByRole('main')
  await main.getByLabel('Email', { exact: true }).fill(person.email)
  await main.getByLabel('Password').fill(person.password)
  await main.getByRole('button', { name: 'Login' }).click()
  await page.getByText('The clock of your device seems wrong.').waitFor()
})

test.each([
  ['/reset-pass', 'Send'],
  ['/forgot-password', 'Send Reset Link'],
])('%s sends a link that sets a new password', async (path, button) => {
  const person = await createUser(run)
  const page = await visit(path, { prepare: (context) => context.clock.install() })
  await page.getByRole('main').getByLabel('Email', { exact: true }).fill(person.email)
  await page.getByRole('button', { name: button, exact: true }).click()
  await page.getByText('If an account exists for this email, a reset link has been sent.').waitFor()
  await page.goto(await linkInMail(run, person.email, /https?:\/\/\S+\/reset-password\/\S+/))
  await page.getByLabel('New Password').fill('one password')
  await page.getByLabel('Confirm Password').fill('another password')
  await page.getByRole('button', { name: 'Reset Password' }).click()
  await page.getByText('Passwords do not match.').waitFor()
  await page.getByLabel('Confirm Password').fill('one password')
  await stopClock(page)
  await page.getByRole('button', { name: 'Reset Password' }).click()
  await page.getByText('Your password has been changed. Please log in.').waitFor()
  await page.clock.runFor(2_999)
  expect(new URL(page.url()).pathname).not.toBe('/login')
  await page.clock.runFor(1)
  await page.waitForURL('**/login')
})

test('a used or invalid reset link shows an error', async () => {
  const page = await visit('/reset-password/not-a-token', { expects: [400] })
  await page.getByLabel('New Password').fill('one password')
  await page.getByLabel('Confirm Password').fill('one password')
  await page.getByRole('button', { name: 'Reset Password' }).click()
  await page.getByRole('main').getByRole('alert').getByText('This reset link is invalid or has expired.').waitFor()
})

test('a guarded page leads to the lock screen, which shows the name and unlocks', async () => {
  const person = await createUser(run)
  const page = await visit(`/creator-profile/${person.username}`, {
    as: { ...person, token: 'not.a.token' },
    expects: [401],
  })
  await page.waitForURL('**/lock-screen')
  await page.getByText('Nora Newcomer').waitFor()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('Password is requaried').waitFor()
  await page.getByLabel('Password', { exact: true }).fill('wrong')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('Incorrect password.').waitFor()
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Explore Our collection of Rare NFT Artworks' }).waitFor()
})

test('log-out from a guarded page leads to the log-in, not to the lock screen', async () => {
  const person = await createUser(run)
  const page = await visit(`/creator-profile-edit/${person.userId}`, { as: person })
  await page.getByRole('button', { name: 'Account of Nora Newcomer' }).click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.getByRole('heading', { level: 1, name: 'Login' }).waitFor()
  expect(page.url()).toContain('/login')
})

test('the lock screen without a session is the log-in page', async () => {
  const page = await visit('/lock-screen')
  await page.waitForURL('**/login')
})

test('a new password requires the old one and a repetition', async () => {
  const person = await createUser(run)
  const page = await visit(`/creator-profile-edit/${person.userId}`, { as: person, expects: [400, 401, 403, 422] })
  const fill = async (old: string, fresh: string, again: string) => {
    await page.getByLabel('Old password').fill(old)
    await page.getByLabel('New password', { exact: true }).fill(fresh)
    await page.getByLabel('Retype new password').fill(again)
    await page.getByRole('button', { name: 'Save Password' }).click()
  }
  await fill(person.password, 'a new password', 'another one')
  await page.getByText('New passwords do not match').waitFor()
  await fill('not the old one', 'a new password', 'a new password')
  await page.getByRole('region', { name: 'Messages' }).getByText('Failed to update password').waitFor()
  const note = await page.getByLabel('Old password').getAttribute('aria-describedby')
  await page.locator(`[id="${note}"]`).getByText('This is not your present password').waitFor()
  expect(await page.getByLabel('New password', { exact: true }).getAttribute('aria-invalid')).toBeNull()
  await fill(person.password, 'a new password', 'a new password')
  await page.getByText('Password updated successfully').waitFor()
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Edit Profile / Settings' }).waitFor()
})
