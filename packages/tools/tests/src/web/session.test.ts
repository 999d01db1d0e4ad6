import { apiClientOf, createUser } from '@nifty/testkit/users'
import { expect, test } from 'vitest'
import { useBrowser } from './use-browser.ts'

const { run, visit, visitor } = await useBrowser()

test('a session that expires while a guarded page is open leads to the lock screen', async () => {
  const person = await createUser(run)
  const page = await visit('/error', { as: person, expects: [401] })
  await page.clock.install()
  await page.goto(`/creator-profile-edit/${person.userId}`)
  await page.getByRole('heading', { level: 1, name: 'Edit Profile / Settings' }).waitFor()
  await page.clock.fastForward(400 * 24 * 60 * 60 * 1000)
  await page.waitForURL('**/lock-screen')
  await page.getByText('Nora Newcomer').waitFor()
})

test('a session that was ended elsewhere leads to the lock screen with the next thing that needs it', async () => {
  const person = await createUser(run)
  const page = await visit(`/creator-profile-edit/${person.userId}`, { as: person, expects: [401] })
  await page.getByLabel('First name').waitFor()
  // A request that the page still sends would be the next thing, before the click.
  await page.waitForLoadState('networkidle')
  await apiClientOf(run, person).call('POST', '/api/auth/logout')
  await page.getByRole('button', { name: 'Update Profile' }).click()
  await page.waitForURL('**/lock-screen')
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Account of Nora Newcomer' }).waitFor()
})

test('logging out in one window ends the other', async () => {
  const person = await createUser(run)
  const page = await visit(`/creator-profile-edit/${person.userId}`, { as: person })
  await page.getByLabel('First name').waitFor()
  const other = await page.context().newPage()
  await other.goto('/contact')
  await other.getByRole('button', { name: 'Account of Nora Newcomer' }).click()
  await other.getByRole('button', { name: 'Logout' }).click()
  await page.waitForURL('**/lock-screen')
})

test('another account that is logged in in one window sees nothing of the former one in the others', async () => {
  const [former, next] = [await createUser(run), await createUser(run)]
  const [work] = await visitor.market()
  await apiClientOf(run, former).call('PUT', `/api/favourites/${work!._id}`)
  const favourites = await visit('/favourites', { as: former })
  await favourites.getByRole('article').waitFor()
  const settings = await favourites.context().newPage()
  await settings.goto(`/creator-profile-edit/${former.userId}`)
  const email = settings.getByRole('main').getByRole('textbox', { name: /^Email/ })
  await expect.poll(() => email.inputValue()).toBe(former.email)

  const other = await favourites.context().newPage()
  await other.goto('/login')
  await other.getByRole('main').getByLabel('Email', { exact: true }).fill(next.email)
  await other.getByRole('main').getByLabel('Password', { exact: true }).fill(next.password)
  await other.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click()
  await other.waitForURL('**/creator-profile/**')

  await favourites.getByText('No favourites yet').waitFor()
  await expect.poll(() => email.inputValue()).toBe(next.email)
})

test('a page that the back/forward cache restores shows nothing of the account that was logged in before', async () => {
  const [former, next] = [await createUser(run), await createUser(run)]
  const [work] = await visitor.market()
  await apiClientOf(run, former).call('PUT', `/api/favourites/${work!._id}`)
  const page = await visit('/favourites', { as: former })
  await page.getByRole('article').waitFor()
  // A page gets no storage event for its own writes: the same as those of another tab while this one was cached.
  const session = JSON.stringify({ token: next.token, userId: next.userId, username: next.username })
  await page.evaluate(`(() => {
    for (const [key, value] of Object.entries(${session})) localStorage.setItem(key, value)
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  })()`)
  await page.getByText('No favourites yet').waitFor()
})
