import { cancelOrder, getOrder, startPurchase } from '@nifty/api/payments/public'
import { phone } from '@nifty/testkit/browser'
import { apiClientOf, createUser, type User } from '@nifty/testkit/users'
import { waitUntil } from '@nifty/testkit/wait-until'
import { availableWork } from '@nifty/testkit/works'
import { expect, test } from 'vitest'
import { expectAccessible } from './expect-accessible.ts'
import { payByCard } from './pay-by-card.ts'
import { useBrowser } from './use-browser.ts'

const { run, visit } = await useBrowser()
const settingsOf = ({ userId }: User) => `/creator-profile-edit/${userId}`

test('the second purchase is one click on the payment page, until the cards are forgotten in the settings', async () => {
  const person = await createUser(run)
  const client = apiClientOf(run, person)
  const startBuying = async () => {
    const { _id, price } = await availableWork(client, ({ offers, auction }) => !offers && !auction)
    const body = { amount: price, items: [{ _id, price }], deliverTo: 'custody' as const }
    const { url, orderId } = (await client.send(startPurchase, { body })).body
    return { url, params: { id: orderId } }
  }
  const completed = ({ params }: { params: { id: string } }) =>
    waitUntil(async () => (await client.send(getOrder, { params })).body.state === 'completed')
  const page = await visit(settingsOf(person), { as: person, viewport: phone })
  const section = page.getByRole('region', { name: 'Cards', exact: true })
  await section.getByText('No card of yours is kept.').waitFor()
  await expectAccessible(page)

  const first = await startBuying()
  await page.goto(first.url)
  await page.getByRole('checkbox', { name: /^Save my card/ }).press('Space')
  await payByCard(page, run)
  const second = await startBuying()
  await page.goto(second.url)
  await page.getByRole('button', { name: /^Pay .* with Visa ···· 4242$/ }).press('Enter')
  await page.waitForURL('**/purchase-thanks**')
  await Promise.all([first, second].map(completed))

  await page.goto(settingsOf(person))
  await section.getByRole('button', { name: 'Forget my cards' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Forget your cards?' })
  await dialog.getByRole('button', { name: 'Keep them' }).press('Enter')
  await dialog.waitFor({ state: 'hidden' })
  await section.getByRole('button', { name: 'Forget my cards' }).press('Enter')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Forget them' }).press('Enter')
  await section.getByRole('status').getByText('No card of yours is kept.').waitFor()
  await section.locator('[role=status]:focus').waitFor()

  const third = await startBuying()
  await page.goto(third.url)
  await page.getByLabel('Card number').waitFor()
  expect(await page.getByRole('button', { name: /with Visa/ }).count()).toBe(0)
  await client.send(cancelOrder, third)
})

test('cards that are being forgotten are said to be, and what could not be loaded or forgotten can be tried again', async () => {
  const person = await createUser(run)
  let state = 'error'
  const page = await visit(settingsOf(person), {
    as: person,
    expects: [500],
    prepare: (context) =>
      context.route('**/api/payments/cards', (route) => {
        if (state === 'error' || route.request().method() === 'DELETE') return route.fulfill({ status: 500 })
        return route.fulfill({ json: { state } })
      }),
  })
  const section = page.getByRole('region', { name: 'Cards', exact: true })
  await section.getByText('It could not be loaded').waitFor()
  state = 'kept'
  await section.getByRole('button', { name: 'Try again' }).press('Enter')
  await section.getByRole('button', { name: 'Forget my cards' }).press('Enter')
  await page.getByRole('button', { name: 'Forget them' }).press('Enter')
  const refused = section.locator('.notice--error')
  await refused.waitFor()
  expect(await refused.evaluate((notice: any) => notice.ownerDocument.defaultView.getComputedStyle(notice).color)).toBe(
    'rgb(255, 107, 94)',
  )

  for (const [next, text] of [
    ['after_payment', 'as soon as no payment page of yours is open'],
    ['forgetting', 'Your cards are being forgotten.'],
  ] as const) {
    state = next
    await page.reload()
    await section.getByRole('status').getByText(text).waitFor()
    expect(await section.getByRole('button').count()).toBe(0)
  }
})
