import { randomUUID } from 'node:crypto'
import { startPurchase } from '@nifty/api/payments/public'
import { pay } from '@nifty/testkit/api-client'
import { phone } from '@nifty/testkit/browser'
import { linkInMail } from '@nifty/testkit/mailbox'
import { quickChain } from '@nifty/testkit/store'
import { apiClientOf, createUser, demoUser, type User } from '@nifty/testkit/users'
import { availableWork, itemPath } from '@nifty/testkit/works'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible } from './expect-accessible.ts'
import { payByCard } from './pay-by-card.ts'
import { stepUpOn } from './step-up.ts'
import { useBrowserWithStore } from './use-browser.ts'

// A store of its own: other tests need the works of the shared one on the market.
const { run, visit, visitor } = await useBrowserWithStore({ works: 4, env: quickChain })

async function logIn(page: Page, { email, password }: User) {
  await page.getByRole('main').getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
}

const giftLink = (email: string) => linkInMail(run, email, /https?:\/\/\S+\/gift#\S+/)

test('a gift goes from the purchase on a desktop to the profile of its recipient on a phone, who gives it on', async () => {
  const [giver, recipient] = [await createUser(run), await createUser(run)]
  const address = `${randomUUID()}@people.example`
  const work = await availableWork(visitor)

  const page = await visit(itemPath(work), { as: giver })
  await page.getByRole('dialog', { name: 'Please Connect' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Buy it as a gift' }).press('Enter')
  await page.getByLabel('E-mail address of the recipient').fill(address)
  await page.getByLabel('Your words').fill('See https://gift.example')
  await page.getByRole('button', { name: 'Use for this purchase' }).press('Enter')
  await page.getByText(/^The text cannot have links/).waitFor()
  await expectAccessible(page)
  await page.getByLabel('Your words').fill('Happy birthday!\nYours, Nora')
  await page.getByRole('button', { name: 'Use for this purchase' }).press('Enter')
  await page.getByText(`A gift for ${address}.`, { exact: false }).waitFor()
  await page.reload()
  await page.getByRole('dialog', { name: 'Please Connect' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByText(`A gift for ${address}.`, { exact: false }).waitFor()
  await page.getByRole('checkbox', { name: /I declare that I have read/ }).press('Space')
  await page.getByRole('button', { name: 'Buy Now' }).press('Enter')
  await payByCard(page, run)
  await page.getByText(`We mailed the link to ${address}.`, { exact: false }).waitFor({ timeout: 60_000 })
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain(address)
  await expectAccessible(page)

  const link = await giftLink(address)
  const mobile = await visit(link, { viewport: phone, touch: true })
  await mobile.getByRole('heading', { level: 1, name: `A gift for you: ${work.name}` }).waitFor()
  expect(mobile.url()).toBe(`${run.url}/gift`)
  await mobile.getByText('Happy birthday!').waitFor()
  await mobile.getByText(`From ${giver.username}`).waitFor()
  await expectAccessible(mobile)
  await mobile.reload()
  await mobile.getByText('The link in our mail about your gift opens it again', { exact: false }).waitFor()
  // As after a sign-up. Withdrawals and gifts of owned works need a confirmed address.
  await mobile.goto(await linkInMail(run, recipient.email, /https?:\/\/\S+\/accept\?token=\S+/))
  await mobile.getByRole('heading', { level: 1, name: 'Your email is confirmed!' }).waitFor()
  await mobile.getByText(`A gift for you: ${work.name}`).waitFor()
  await expectAccessible(mobile)
  expect(await mobile.evaluate(() => JSON.stringify(localStorage))).not.toContain(link.split('#')[1])
  await mobile.goto(link)
  await mobile.getByRole('main').getByRole('link', { name: 'Log in' }).tap()
  await logIn(mobile, recipient)
  await mobile.getByRole('button', { name: 'Accept the gift' }).press('Enter')
  await mobile.locator('h1:focus').waitFor()
  await mobile.getByRole('heading', { level: 1, name: `${work.name} is yours` }).waitFor({ timeout: 60_000 })
  await expectAccessible(mobile)
  await mobile.goto(`/creator-profile/${recipient.username}`)
  await mobile.getByRole('main').getByText(work.name).first().waitFor()
  await page.reload()
  await page.getByText('Your gift was accepted.', { exact: false }).waitFor({ timeout: 30_000 })
  expect(await page.getByRole('link', { name: 'See it in your profile' }).count()).toBe(0)
  await page.getByRole('link', { name: 'Your order' }).press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Your gift was accepted' }).waitFor()
  expect(await page.getByText('The work is yours').count()).toBe(0)
  expect(await page.getByRole('link', { name: 'Certificate' }).count()).toBe(0)
  await page.getByRole('link', { name: 'Receipt' }).press('Enter')
  await page.getByText('Our custody, as a gift').waitFor()
  await page.goto('/orders')
  await page.getByText('Gift, accepted').waitFor()
  expect(await mobile.getByText('You were looking at').count()).toBe(0)

  const owner = await visit(itemPath({ ...work, ownerUsername: recipient.username }), { as: recipient, expects: [403] })
  await owner.getByRole('dialog', { name: 'Please Connect' }).waitFor()
  await owner.keyboard.press('Escape')
  await owner.getByRole('button', { name: 'Give this work' }).click()
  const next = `${randomUUID()}@people.example`
  await owner.getByLabel('E-mail address of the recipient').fill(next)
  await expectAccessible(owner)
  await owner.getByRole('button', { name: 'Give it', exact: true }).click()
  await stepUpOn(owner, recipient.password)
  await owner.getByText(`We mailed the link to ${next}.`, { exact: false }).waitFor({ timeout: 30_000 })
  const nextLink = await giftLink(next)
  await owner.getByRole('button', { name: 'Correct the address' }).press('Enter')
  await owner.locator('input[name=email]:focus').waitFor()
  await owner.getByRole('button', { name: 'Leave it' }).press('Enter')
  await owner.locator('button:focus', { hasText: 'Correct the address' }).waitFor()
  await owner.getByRole('button', { name: 'Take it back' }).press('Enter')
  await owner.locator('button:focus', { hasText: 'Give this work' }).waitFor()

  const late = await visit(nextLink, { expects: [404] })
  await late.getByText('The giver has taken this gift back').waitFor()
  await expectAccessible(late)
})

test('a gift that waits is named on its order and its work, which can be moved to a wallet once it is taken back', async () => {
  const giver = await demoUser(run, 'collector')
  const work = await availableWork(visitor)
  const { _id, price } = work
  const gift = { email: `${randomUUID()}@people.example`, text: 'For your birthday' }
  const { body } = await apiClientOf(run, giver).send(startPurchase, {
    body: { amount: price, items: [{ _id, price }], deliverTo: 'custody', gift },
  })
  const page = await visit(`/orders/${body.orderId}`, { as: giver })
  await page.getByText(`We mail the link to ${gift.email} once`, { exact: false }).waitFor()
  await page.getByText(gift.text).waitFor()
  await page.goto(itemPath(work))
  await page.getByText('which you are buying as a gift', { exact: false }).waitFor()
  await pay(run, body.url, run.cards.approved)
  await page.goto(`/orders/${body.orderId}`)
  await page.getByRole('heading', { level: 1, name: 'Your gift is not accepted yet' }).waitFor({ timeout: 60_000 })
  await page.getByText(`We mailed the link to ${gift.email}.`, { exact: false }).waitFor({ timeout: 30_000 })
  const movable = page.getByText(/You can move it to a wallet of your own/)
  expect(await movable.count()).toBe(0)
  await page.getByRole('link', { name: 'All orders' }).press('Enter')
  await page.getByText('Gift, not accepted yet').waitFor()

  await page.goto(itemPath({ ...work, ownerUsername: giver.username }))
  await page.getByText('It is a gift that waits for its recipient.', { exact: false }).waitFor()
  expect(await page.getByText('on the page of the work').count()).toBe(0)
  const move = page.getByRole('button', { name: 'Move to my wallet' })
  expect(await move.count()).toBe(0)
  await page.getByRole('button', { name: 'Take it back' }).press('Enter')
  await move.waitFor()
  await page.goto(`/orders/${body.orderId}`)
  await page.getByRole('heading', { level: 1, name: 'It is yours' }).waitFor()
  await movable.waitFor()
  await page.goto('/orders')
  await page.getByText('Completed').first().waitFor()
  expect(await page.getByText('Gift, not accepted yet').count()).toBe(0)
})

test('a link that is none, and no link, say so', async () => {
  const page = await visit('/gift#nonsense', { expects: [404] })
  await page.getByRole('heading', { level: 1, name: 'This gift cannot be opened' }).waitFor()
  await expectAccessible(page)
  const empty = await visit('/gift', { expects: [404] })
  await empty.getByRole('heading', { level: 1, name: 'Open the link in our mail' }).waitFor()
  await expectAccessible(empty)
  // The same tab, where only the fragment changes.
  await empty.goto('/gift#nonsense')
  await empty.getByRole('heading', { level: 1, name: 'This gift cannot be opened' }).waitFor()
})
