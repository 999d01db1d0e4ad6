import { expect, test } from 'vitest'
import { findings } from '../screens/findings.ts'
import { useBrowser } from './use-browser.ts'

const { visit } = await useBrowser()

test('an unsubscribe link acts on the button only, its token leaves the address, and the page says what ended', async () => {
  const tokens: unknown[] = []
  const page = await visit('/unsubscribe#follow.token', {
    prepare: (context) =>
      context.route('**/api/subscribe/unsubscribe', (route) => {
        tokens.push(route.request().postDataJSON())
        return route.fulfill({ json: { success: true, list: 'follow' } })
      }),
  })
  const button = page.getByRole('main').getByRole('button', { name: 'Unsubscribe' })
  await button.waitFor()
  expect(new URL(page.url()).hash).toBe('')
  expect(tokens).toEqual([])
  expect(await findings(page)).toEqual([])

  await button.press('Enter')

  await page.getByText('You will get no more mails about new works of artists whom you follow.').waitFor()
  expect(tokens).toEqual([{ token: 'follow.token' }])
})

test('a token that the store did not issue, and none, are no valid link', async () => {
  const page = await visit('/unsubscribe#newsletter.forged', { expects: [400] })
  await page.getByRole('main').getByRole('button', { name: 'Unsubscribe' }).click()
  await page.getByRole('heading', { level: 1, name: 'This link is not valid' }).waitFor()
  await page.goto('/unsubscribe')
  await page.getByRole('heading', { level: 1, name: 'This link is not valid' }).waitFor()
})
