import { linkInMail } from '@nifty/testkit/mailbox'
import { apiClientOf, createUser } from '@nifty/testkit/users'
import { expect, test } from 'vitest'
import { useBrowser } from './use-browser.ts'

const { run, visit } = await useBrowser()

test('the link of the mail confirms the address and removes the reminder', async () => {
  const person = await createUser(run)
  const page = await visit('/contact', { as: person })
  const reminder = page.getByText('Please confirm your email address')
  await reminder.waitFor()
  await page.goto(await linkInMail(run, person.email, /https?:\/\/\S+\/accept\?token=\S+/))
  await page.getByRole('heading', { level: 1, name: 'Your email is confirmed!' }).waitFor()
  await reminder.waitFor({ state: 'hidden' })
  const { user } = (await apiClientOf(run, person).call('GET', '/api/auth/user')).body
  expect(user.emailConfirmed).toBe(true)
  await page.getByRole('link', { name: 'Explore works' }).click()
  await page.getByRole('heading', { level: 1, name: 'Explore Items' }).waitFor()
})

test('/accept without a valid token is the error page', async () => {
  const page = await visit('/accept')
  await page.getByRole('heading', { name: 'Somthing went wrong!' }).waitFor()
})
