import { randomUUID } from 'node:crypto'
import { createMint } from '@nifty/api/minting/public'
import { pay, untilOrder } from '@nifty/testkit/api-client'
import { phone } from '@nifty/testkit/browser'
import { coverFile } from '@nifty/testkit/covers'
import { buyersOf, purchase } from '@nifty/testkit/purchase'
import { createUser, demoUser } from '@nifty/testkit/users'
import { waitUntil } from '@nifty/testkit/wait-until'
import { availableWork, itemPath, workAndOwner } from '@nifty/testkit/works'
import { beforeAll, expect, test } from 'vitest'
import { LONG_WORD, withLongTexts } from '../screens/long-texts.ts'
import { useBrowser } from './use-browser.ts'

const { run, visit, visitor } = await useBrowser()

// With sales the studio has a statement, of which one is held back, and the seller a mail about the work.
let seller: Awaited<ReturnType<typeof demoUser>>
let orderId: string
beforeAll(async () => {
  const [, other, buyer] = await buyersOf(run)
  seller = await demoUser(run, 'creator')
  await mintLongWord()
  const work = await availableWork(visitor, ({ name }) => name === LONG_WORD)
  orderId = (await purchase(run, buyer!, work).sale).order._id
  await buyer!.client.call('PUT', `/api/favourites/${work._id}`)
  await buyer!.client.call('PUT', `/api/follows/${seller.userId}`)
  const disputed = await availableWork(visitor, ({ ownerUsername }) => ownerUsername === seller.username)
  const { body } = await other!.client.buy(disputed, 'custody')
  await pay(run, body.url, '4000000000000259')
  await untilOrder(other!.client, body.orderId, 'disputed')
})

async function mintLongWord() {
  const form = new FormData()
  const fields = { name: LONG_WORD, category: 'Art', price: '12', holder: 'custody' }
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('image', await coverFile(run), 'work.webp')
  const { status } = await fetch(run.url + createMint.path, {
    method: createMint.method,
    headers: { authorization: `Bearer ${seller.token}`, 'idempotency-key': randomUUID() },
    body: form,
  })
  expect(status).toBe(202)
}

/** The texts and controls that begin or end outside of the window, unless something cuts them off on purpose. */
const outside = `[...document.querySelectorAll(':is(main, dialog, header) :is(h1, h2, h3, p, a, button, input, dd, td, li, label)')]
  .filter((element) => element.checkVisibility() && !element.closest('.carousel, .visually-hidden, [aria-hidden=true]'))
  .filter((element) => {
    const { left, right, width } = element.getBoundingClientRect()
    return width > 1 && (left < -1 || right > innerWidth + 1)
  })
  .map((element) => element.tagName + ' ' + element.textContent.slice(0, 30))`

test.each([320, 390, 820, 844, 1440])(
  'a long word, a name in Arabic and a long description stay inside a window of %i px',
  async (width) => {
    const collector = await demoUser(run, 'collector', 2)
    const { work, owner } = await workAndOwner(run, visitor)
    const viewport = { width, height: width === 844 ? 390 : 844 }
    const order = `/orders/${orderId}`
    for (const [as, paths] of [
      [collector, ['/', '/explore-one', '/creators', itemPath(work), `/creator-profile/${owner.username}`]],
      [collector, ['/favourites', '/orders', order, `${order}/receipt`, `${order}/certificate`, '/lock-screen']],
      [collector, [`/purchase-thanks?order=${orderId}`]],
      [owner, [itemPath(work)]],
      [seller, ['/studio', `/creator-profile-edit/${seller.userId}`]],
    ] as const) {
      const page = await visit('/error', { as, viewport, prepare: withLongTexts })
      for (const path of paths) {
        await page.goto(path)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await page.waitForLoadState('networkidle')
        expect(await page.evaluate(outside), path).toEqual([])
      }
    }
  },
)

test('a long word in a mail stays inside a phone', async () => {
  const mail = await waitUntil(async () => {
    const response = await fetch(`${run.mailboxUrl}/api/email`)
    const mails = (await response.json()) as { subject: string; html: string }[]
    return mails.find(({ subject }) => subject === `“${LONG_WORD}” was sold`)
  })
  // A blank page: the store's own pages allow no inline styles.
  const page = await (await visit('/robots.txt', { viewport: phone })).context().newPage()
  await page.setContent(mail.html)
  await page.getByRole('heading', { name: LONG_WORD }).waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(phone.width)
})

test.each([
  { width: 320, height: 568 },
  { width: 844, height: 390 },
])('a long word and a name in Arabic stay inside of what opens over a page of $width px', async (viewport) => {
  const page = await visit('/studio', { as: seller, viewport, prepare: withLongTexts })
  const opens = [
    [page.getByRole('button', { name: /^Manage / }).first(), page.getByRole('dialog')],
    [page.getByRole('button', { name: /^Notices/ }), page.locator('#notices')],
    [page.getByRole('button', { name: /^Account of/ }), page.getByRole('button', { name: 'Logout' })],
  ] as const
  for (const [button, opened] of opens) {
    await button.click()
    await opened.waitFor()
    await page.waitForLoadState('networkidle')
    expect(await page.evaluate(outside)).toEqual([])
    await page.keyboard.press('Escape')
    await opened.waitFor({ state: 'hidden' })
  }

  const { work } = await workAndOwner(run, visitor)
  const item = await visit(itemPath(work), { as: await createUser(run), viewport, prepare: withLongTexts })
  const connect = item.getByRole('dialog', { name: 'Please Connect' })
  await connect.waitFor()
  await item.waitForLoadState('networkidle')
  expect(await item.evaluate(outside)).toEqual([])
  await item.keyboard.press('Escape')
  await connect.waitFor({ state: 'hidden' })
  await item.getByRole('button', { name: 'View full screen' }).click()
  await item.getByRole('dialog').getByRole('img').waitFor()
  await item.waitForLoadState('networkidle')
  expect(await item.evaluate(outside)).toEqual([])
})

test('a long word in a message stays inside a phone', async () => {
  const mint = { _id: 'mint', name: LONG_WORD, state: 'accepted', createdAt: new Date().toISOString() }
  const page = await visit('/studio', {
    as: seller,
    viewport: phone,
    prepare: (context) =>
      context.route('**/api/mints', (route) =>
        route.request().method() === 'POST' ? route.fulfill({ status: 202, json: mint }) : route.fallback(),
      ),
  })
  const form = page.getByRole('region', { name: 'Mint a work' })
  const buffer = Buffer.from(await (await coverFile(run)).arrayBuffer())
  await form.locator('input[type=file]').setInputFiles({ name: 'work.webp', mimeType: 'image/webp', buffer })
  await form.getByLabel('Name', { exact: true }).fill(LONG_WORD)
  await form.getByLabel('Category').selectOption('Art')
  await form.getByRole('button', { name: 'Mint this work' }).click()
  await page.getByRole('button', { name: 'Mint it for good' }).click()
  const messages = page.getByRole('region', { name: 'Messages' })
  await messages.getByText(LONG_WORD).waitFor()
  const { x, width } = (await messages.getByRole('button', { name: 'Dismiss' }).boundingBox())!
  expect(x + width).toBeLessThan(phone.width)
})

test('a long word on the page of the card processor stays inside a phone', async () => {
  await mintLongWord()
  const [, , buyer] = await buyersOf(run)
  const work = await availableWork(visitor, ({ name }) => name === LONG_WORD)
  const { body } = await buyer!.client.buy(work)
  const page = await visit(body.url, { viewport: phone })
  await page.getByLabel('Card number').waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(phone.width)
  await buyer!.client.cancel(body.orderId)
})

test('the facts of a work take one line each on a phone', async () => {
  const page = await visit(itemPath(await availableWork(visitor)), { viewport: phone })
  await page.locator('.item-facts').waitFor()
  const lines = `[...document.querySelectorAll('.item-facts dd')].map((fact) => {
    const range = document.createRange()
    range.selectNodeContents(fact.firstChild)
    return range.getBoundingClientRect().height / parseFloat(getComputedStyle(fact).lineHeight)
  })`
  expect(Math.max(...(await page.evaluate<number[]>(lines)))).toBeLessThan(1.5)
})
