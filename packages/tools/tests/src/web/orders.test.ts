import { orderNumber } from '@nifty/api/order-number'
import { pay, untilOrder } from '@nifty/testkit/api-client'
import { phone } from '@nifty/testkit/browser'
import { apiClientOf, createUser, demoUser } from '@nifty/testkit/users'
import { installWallet } from '@nifty/testkit/wallet'
import { availableWork, itemPath } from '@nifty/testkit/works'
import { expect, test } from 'vitest'
import { useBrowser } from './use-browser.ts'

const { run, visit, visitor } = await useBrowser()

test('a disputed order, whose work has arrived, promises no release of a hold', async () => {
  const person = await createUser(run)
  const buyer = apiClientOf(run, person)
  const { body } = await buyer.buy(await availableWork(visitor), 'custody')
  // The sandbox disputes it after the capture.
  await pay(run, body.url, '4000000000000259')
  await untilOrder(buyer, body.orderId, 'disputed')
  const page = await visit(`/orders/${body.orderId}`, { as: person })
  await page.getByText('Your bank is reviewing this payment. The work stays where it is.').first().waitFor()
  expect(await page.getByText('released automatically').count()).toBe(0)
})

test('an order shows its history, receipt, certificate and how to import the token', async () => {
  const collector = await demoUser(run, 'collector', 2)
  const buyer = apiClientOf(run, collector)
  const work = await availableWork(visitor)
  const { body } = await buyer.buy(work)
  await pay(run, body.url, run.cards.approved)
  await untilOrder(buyer, body.orderId, 'completed')
  let wallet: Awaited<ReturnType<typeof installWallet>> | undefined
  const page = await visit('/orders', {
    as: collector,
    prepare: async (context) => {
      wallet = await installWallet(context, run, { privateKey: collector.wallet.privateKey, chainId: 1 })
    },
  })
  await page
    .getByRole('main')
    .getByRole('link', { name: new RegExp(work.name) })
    .first()
    .click()
  await page.getByRole('heading', { level: 1, name: 'It is yours' }).waitFor()
  for (const step of ['Card held', 'On its way', 'Arrived', 'Charged'])
    await page.getByRole('main').getByText(step).first().waitFor()
  await page.getByRole('button', { name: 'Add to wallet' }).click()
  await expect.poll(() => wallet?.requests()).toContain('wallet_watchAsset')
  expect(wallet?.requests()).toEqual(expect.arrayContaining(['wallet_switchEthereumChain', 'wallet_addEthereumChain']))

  await page.getByRole('link', { name: 'Receipt' }).click()
  await page.getByRole('region', { name: 'Receipt' }).getByText('Charged to your card').waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'Certificate' }).click()
  await page.getByRole('heading', { level: 2, name: work.name }).waitFor()
  await page.getByText(/^[0-9a-f]{64}$/).waitFor()
})

test('a released order shows first that nothing was charged', async () => {
  const collector = await demoUser(run, 'collector', 2)
  const buyer = apiClientOf(run, collector)
  const { body } = await buyer.buy(await availableWork(visitor))
  const page = await visit(`/orders/${body.orderId}`, { as: collector })
  await page.getByRole('heading', { level: 1, name: 'Waiting for your payment' }).waitFor()
  await page.getByRole('link', { name: 'Continue to payment' }).waitFor()
  await page.getByRole('button', { name: 'Cancel the purchase' }).click()
  await page.getByRole('heading', { level: 1, name: 'Nothing was charged' }).waitFor()
})

test('an unpaid order can be paid on from the work, and a question about it fills the contact form', async () => {
  const collector = await demoUser(run, 'collector', 2)
  const buyer = apiClientOf(run, collector)
  const work = await availableWork(visitor)
  const { body } = await buyer.buy(work)
  const number = orderNumber(body.orderId)
  const page = await visit(itemPath(work), { as: collector, viewport: phone })
  await page.getByText('Reserved for you until').waitFor()
  const onwards = page.getByRole('link', { name: 'Continue to payment' })
  expect(await onwards.getAttribute('href')).toBe(body.url)
  const { y, height } = (await onwards.boundingBox())!
  expect(y + height).toBeLessThanOrEqual(phone.height)
  expect(await page.getByRole('button', { name: 'Buy Now' }).count()).toBe(0)

  await page.goto(`/orders/${body.orderId}`)
  await page.getByText('Reserved for you until').waitFor()
  await page.getByRole('link', { name: 'A question about this order?' }).click()

  const form = page.getByRole('main').locator('form')
  const contentOf = (label: string) => form.getByLabel(label).inputValue()
  await expect.poll(() => contentOf('Email')).toBe(collector.email)
  expect(await contentOf('Subject')).toBe(`Order ${number}`)
  expect(await contentOf('Name')).not.toBe('')

  const stranger = await visit(`/contact?about=order:${number}`)
  await expect.poll(() => stranger.getByLabel('Subject').inputValue()).toBe(`Order ${number}`)
  expect(await stranger.getByRole('main').getByLabel('Email').inputValue()).toBe('')
  await buyer.cancel(body.orderId)
})

test('after the payment page a purchase says that the bank is confirming, and offers no second payment', async () => {
  const collector = await demoUser(run, 'collector', 2)
  const buyer = apiClientOf(run, collector)
  const { body } = await buyer.buy(await availableWork(visitor))
  const page = await visit(`/purchase-thanks?order=${body.orderId}`, { as: collector })
  await page.getByRole('heading', { level: 1, name: 'Your bank is confirming' }).waitFor()
  for (const action of ['Continue to payment', 'Cancel the purchase'])
    expect(await page.getByText(action).count(), action).toBe(0)

  await pay(run, body.url, run.cards.approved)
  await page.getByText('It is in your wallet, and it is yours.').waitFor({ timeout: 45_000 })
  const main = page.getByRole('main')
  await main.getByRole('link', { name: 'See it in your profile' }).waitFor()
  expect(await main.locator('.button--primary').allTextContents()).toEqual(['See it in your profile'])
  for (const link of ['Receipt', 'Certificate', 'See it in your profile'])
    await main.getByRole('link', { name: link }).waitFor()
  await main.getByRole('link', { name: 'Your order' }).click()
  await page.getByRole('heading', { level: 1, name: 'It is yours' }).waitFor()
  expect(await main.getByText('Charged so far').count()).toBe(0)
})

test('the deadline of a delivery and the steps of an earlier day have their day', async () => {
  const collector = await demoUser(run, 'collector', 2)
  const buyer = apiClientOf(run, collector)
  const { body } = await buyer.buy(await availableWork(visitor))
  const page = await visit(`/orders/${body.orderId}`, {
    as: collector,
    prepare: (context) =>
      context.route(`**/api/orders/${body.orderId}`, async (route) => {
        const order = await (await route.fetch()).json()
        const timeline = order.timeline.map((entry: object) => ({ ...entry, at: '2024-03-08T09:21:04.000Z' }))
        const held = { state: 'authorised', at: '2024-03-08T09:21:05.000Z', itemId: order.lines[0].itemId, note: null }
        const lines = order.lines.map((line: object) => ({ ...line, state: 'authorised' }))
        const changes = { state: 'authorised', lines, timeline: [...timeline, held], cancellable: false }
        return route.fulfill({ json: { ...order, ...changes, deliverBy: '2024-03-09T09:21:04.000Z' } })
      }),
  })
  await page.getByText(/Delivered by 9 Mar 2024/).waitFor()
  await page.getByRole('listitem').filter({ hasText: 'Card held' }).getByText('8 Mar 2024').waitFor()
  await buyer.cancel(body.orderId)
})

test('an empty order list links to explore, and another account’s order is not found', async () => {
  const person = await createUser(run)
  const page = await visit('/orders', { as: person, expects: [404] })
  await page.getByText('You have not bought anything yet').waitFor()
  await page.goto('/orders/00000000-0000-4000-8000-000000000000')
  await page.getByRole('heading', { level: 1, name: 'Order not found' }).waitFor()
})

test('the thanks page mentions hidden items and links to home', async () => {
  const page = await visit('/purchase-thanks')
  await page.getByRole('heading', { name: 'Thanks for Your Purchase!' }).waitFor()
  await page.getByText(/hidden items/).waitFor()
  await page.getByRole('main').getByRole('link', { name: 'contact us' }).waitFor()
  await page.getByRole('link', { name: 'Back to home' }).click()
  await page.getByRole('heading', { name: 'Explore Our collection of Rare NFT Artworks' }).waitFor()
})

test('before its order is loaded the thanks page speaks of no wallet', async () => {
  const person = await createUser(run)
  const page = await visit('/', { as: person, expects: ['no response'] })
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/api/orders/*', async (route) => {
    await held
    await route.abort()
  })
  await page.goto(`/purchase-thanks?order=${crypto.randomUUID()}`)
  await page.getByText('Typically a work arrives within minutes.').waitFor()
  expect(await page.getByText(/your wallet/).count()).toBe(0)
  release()
  // Without an order in the address the hint stands, as specified.
  await page.goto('/purchase-thanks')
  await page.getByText(/Is the NFT not visible in your wallet/).waitFor()
})
