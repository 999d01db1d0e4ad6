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
let collector: typeof seller
let work: Awaited<ReturnType<typeof workAndOwner>>['work']
let owner: Awaited<ReturnType<typeof workAndOwner>>['owner']
beforeAll(async () => {
  const [, other, buyer] = await buyersOf(run)
  seller = await demoUser(run, 'creator')
  await mintLongWord()
  const bought = await availableWork(visitor, ({ name }) => name === LONG_WORD)
  orderId = (await purchase(run, buyer!, bought).sale).order._id
  await buyer!.client.call('PUT', `/api/favourites/${bought._id}`)
  await buyer!.client.call('PUT', `/api/follows/${seller.userId}`)
  const disputed = await availableWork(visitor, ({ ownerUsername }) => ownerUsername === seller.username)
  const { body } = await other!.client.buy(disputed, 'custody')
  await pay(run, body.url, '4000000000000259')
  await untilOrder(other!.client, body.orderId, 'disputed')
  collector = await demoUser(run, 'collector', 2)
  ;({ work, owner } = await workAndOwner(run, visitor))
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

const widths = [320, 390, 820, 844, 1440]
const sizeOf = (width: number) => ({ width, height: width === 844 ? 390 : 844 })
/** A frame after a new size has its layout, and what React renders by its media queries. */
const twoFrames = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))'

test.each<[string, () => { as: typeof seller; paths: string[] }]>([
  [
    'works and people',
    () => ({
      as: collector,
      paths: ['/', '/explore-one', '/creators', itemPath(work), `/creator-profile/${owner.username}`],
    }),
  ],
  [
    'favourites and orders',
    () => ({
      as: collector,
      paths: ['', '/receipt', '/certificate']
        .map((part) => `/orders/${orderId}${part}`)
        .concat('/favourites', '/orders', '/lock-screen'),
    }),
  ],
  ['thanks', () => ({ as: collector, paths: [`/purchase-thanks?order=${orderId}`] })],
  ['an own work', () => ({ as: owner, paths: [itemPath(work)] })],
  ['a studio', () => ({ as: seller, paths: ['/studio', `/creator-profile-edit/${seller.userId}`] })],
])(
  'a long word, a name in Arabic and a long description stay inside a window of each width on pages of %s',
  async (_what, pages) => {
    const { as, paths } = pages()
    const page = await visit('/error', { as, prepare: withLongTexts })
    for (const path of paths) {
      await page.setViewportSize(sizeOf(widths[0]!))
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
      for (const width of widths) {
        await page.setViewportSize(sizeOf(width))
        await page.evaluate(twoFrames)
        expect(await page.evaluate(outside), `${path} at ${width} px`).toEqual([])
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
