import { execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { searchAccounts } from '@nifty/api/auth/account-search'
import { countSellers } from '@nifty/api/auth/ops'
import { type FoundAuction, listAuctions } from '@nifty/api/catalog/auction-search'
import { searchItems } from '@nifty/api/catalog/item-search'
import { setOfferMinimum } from '@nifty/api/catalog/offers'
import { endpointKey } from '@nifty/api/office'
import { orderNumber } from '@nifty/api/order-number'
import { makeOffer } from '@nifty/api/payments/offers'
import { getSalesPause } from '@nifty/api/payments/sales-pause'
import { internalUrlVariable, serviceNames } from '@nifty/api/services'
import { pay, untilOrder } from '@nifty/testkit/api-client'
import { desktop, phone } from '@nifty/testkit/browser'
import { apiClientOf, createUser } from '@nifty/testkit/users'
import { waitUntil } from '@nifty/testkit/wait-until'
import { availableWork, workAndOwner } from '@nifty/testkit/works'
import type { BrowserContext, Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../repo-rules/tree.ts'
import { sharedStore } from '../shared-store/shared-store.ts'
import { expectAccessible } from './expect-accessible.ts'
import { useBrowser } from './use-browser.ts'

const { folder, supportKey } = await sharedStore()
const { run, visit, visitor } = await useBrowser()
const tablet = { width: 820, height: 1180 }

const env = { ...process.env, NIFTY_HOME: folder }
const program = join(root, 'deploy/ops/src/main.ts')

/** What a command prints. */
const printed = async (...words: string[]) =>
  (await promisify(execFile)(process.execPath, [program, ...words], { env })).stdout

/** Starts the office as an operator does, until the test ends, and returns the address that it prints. */
async function startOffice(of: NodeJS.ProcessEnv = env): Promise<string> {
  const child = spawn(process.execPath, [program, 'office'], { env: of, stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await exited
  })
  const [printed] = await once(child.stdout, 'data')
  return /http\S+/.exec(String(printed))![0]
}

/** A page of the office, from its start page on. */
async function openOffice(options: Parameters<typeof visit>[1] = {}): Promise<Page> {
  const page = await visit(await startOffice(), options)
  await page.getByRole('navigation', { name: 'Office' }).waitFor({ state: 'attached' })
  return page
}

/** An order of a new account in the state that a card of the sandbox leads to. */
async function placeOrder(card = run.cards.approved, state: Parameters<typeof untilOrder>[2] = 'completed') {
  const person = await createUser(run)
  const buyer = apiClientOf(run, person)
  const work = await availableWork(visitor)
  const { body } = await buyer.buy(work, 'custody')
  expect(body.message).toBeUndefined()
  await pay(run, body.url, card)
  const order = await untilOrder(buyer, body.orderId, state)
  return { person, buyer, work, order, number: orderNumber(body.orderId) }
}

/** A new order whose card is not charged, and what it is at the card processor. */
async function placeUnpaidOrder() {
  const buyer = apiClientOf(run, await createUser(run))
  const work = await availableWork(visitor)
  const { body } = await buyer.buy(work, 'custody')
  return { buyer, work, url: body.url!, orderId: body.orderId, number: orderNumber(body.orderId) }
}

/** A request to the card processor with the key of the store, as somebody sends it in the processor's dashboard. */
async function atProcessor(path: string, form?: Record<string, string>) {
  const { stripeKey } = JSON.parse(await readFile(join(folder, 'secrets.json'), 'utf8'))
  const response = await fetch(`${run.processorUrl}/v1/${path}`, {
    headers: { authorization: `Bearer ${stripeKey}` },
    ...(form && { method: 'POST', body: new URLSearchParams(form) }),
  })
  expect(response.status).toBe(200)
  return (await response.json()) as { payment_intent: string }
}

const intentOf = async (url: string): Promise<string> =>
  (await atProcessor(`checkout/sessions/${new URL(url).pathname.split('/').at(-1)}`)).payment_intent

/** Finds an order by its number. */
async function openOrder(page: Page, number: string) {
  await page.getByRole('searchbox').first().fill(number)
  await page.keyboard.press('Enter')
  await page.getByRole('main').getByRole('link', { name: number }).first().click()
  await page.getByRole('heading', { level: 1, name: `Order ${number}` }).waitFor()
}

/** Fills the reason of the open dialog, presses the button twice and closes the dialog with its outcome. */
async function act(page: Page, button: string, { reason, outcome }: { reason: string; outcome: string | RegExp }) {
  const dialog = page.getByRole('dialog').last()
  await dialog.getByLabel('Reason').fill(reason)
  await dialog.getByRole('button', { name: button }).dblclick()
  await dialog.getByText(outcome).waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
}

/** How many rows of the timeline have both texts. */
const rowsOf = (page: Page, what: string, reason: string) =>
  page
    .getByRole('table', { name: 'Timeline of the order' })
    .getByRole('row')
    .filter({ hasText: what })
    .filter({ hasText: reason })

/** Runs axe at three widths. With `OFFICE_PICTURES`, a folder, it saves a screenshot of each there, and a dark one. */
async function look(page: Page, name: string) {
  for (const viewport of [phone, tablet, desktop]) {
    await page.setViewportSize(viewport)
    await expectAccessible(page)
    const pictures = process.env.OFFICE_PICTURES
    if (!pictures) continue
    await mkdir(pictures, { recursive: true })
    await page.screenshot({ path: join(pictures, `${name}-${viewport.width}.png`), fullPage: true })
  }
  if (!process.env.OFFICE_PICTURES) return
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.screenshot({ path: join(process.env.OFFICE_PICTURES, `${name}-dark.png`), fullPage: true })
  await page.emulateMedia({ colorScheme: 'light' })
}

/** Sets the browser's language, which else is that of the machine. */
const speaking = (language: string) => (context: BrowserContext) =>
  context.addInitScript(`Object.defineProperty(navigator, 'language', { value: ${JSON.stringify(language)} })`)

const DAY_MS = 86_400_000
/** A day of UTC, as pages have it. */
const dateText = (ms: number) => new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(ms)

const goTo = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Office' }).getByRole('link', { name, exact: true }).click()

test('an order is found by its number, and a line is refunded once with a reason that stays', async () => {
  const { number, work } = await placeOrder()
  const page = await openOffice()
  await goTo(page, 'Orders')
  await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor()
  await look(page, 'orders')

  await page.getByRole('searchbox').fill(number.toLowerCase())
  await page.keyboard.press('Enter')
  await page.getByRole('main').getByRole('link', { name: number }).click()
  await page.getByRole('heading', { level: 1, name: `Order ${number}` }).waitFor()
  await page.getByRole('table', { name: 'Lines of the order' }).getByText(work.name, { exact: true }).waitFor()
  await look(page, 'order')
  expect(page.url()).not.toContain('@')

  await page.getByRole('button', { name: 'Refund…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('The owner of the work does not change').waitFor()
  await dialog.getByText('held back until you assign who bears it').waitFor()
  await look(page, 'refund')
  await dialog.getByLabel('Reason').fill('Sent to <b>the wrong</b> person')
  await dialog.getByRole('button', { name: 'Refund the line' }).dblclick()
  await dialog.getByText(/^Refund of .* (requested|succeeded|pending)/).waitFor()
  await look(page, 'refunded')
  await dialog.getByRole('button', { name: 'Close' }).last().click()

  const timeline = page.getByRole('table', { name: 'Timeline of the order' })
  await timeline.getByText('Sent to <b>the wrong</b> person').waitFor()
  expect(await timeline.getByRole('row', { name: /^(?=.*refund)(?=.*wrong)/ }).count()).toBe(1)
  expect(await timeline.getByText('no news').count()).toBe(0)
  await page.getByRole('main').locator('.facts div', { hasText: 'Refunded' }).getByText('€').waitFor()
  await page.getByRole('button', { name: 'Refund…' }).waitFor({ state: 'detached' })
  // The shares are held back until then.
  await page.getByRole('button', { name: 'Assign…' }).waitFor()
})

/** As the form of the contact page does. */
const writeToShop = (message: { name: string; email: string; subject: string; message: string }) =>
  fetch(`${run.url}/api/contact`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(message),
  })

test('a message of the contact page is answered once, in its thread, and HTML in it is text', async () => {
  const subject = `Where is it? ${randomUUID()}`
  const message = { name: 'Eve <img src=x>', email: 'eve@people.example', subject, message: 'Hello <b>there</b>\nEve' }
  await writeToShop(message)
  const page = await openOffice()
  await goTo(page, 'Messages')
  await page.getByRole('table', { name: 'Messages' }).getByRole('link', { name: subject }).waitFor()
  await look(page, 'messages')
  await page.getByRole('link', { name: subject }).click()
  await page.getByText('Hello <b>there</b>').waitFor()

  await page.getByRole('button', { name: 'Answer…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Answer').fill('It is on its way.')
  await dialog.getByLabel('Reason').fill('asked by mail')
  await look(page, 'answer')
  await dialog.getByRole('button', { name: 'Send the answer' }).dblclick()
  await dialog.getByText('in the queue of mails').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()

  const answers = page.getByRole('table', { name: 'Answers' })
  await answers.getByText('It is on its way.').waitFor()
  expect(await answers.getByRole('row').count()).toBe(2)
  await look(page, 'message')
})

test('evidence about a dispute is read, submitted with a reason, and afterwards not again', async () => {
  const { order, number } = await placeOrder('4000000000000259', 'disputed')
  const page = await openOffice()
  await goTo(page, 'Disputes')
  const row = page.getByRole('table', { name: 'Disputes' }).getByRole('row').filter({ hasText: number })
  await row.waitFor()
  await look(page, 'disputes')
  await row.getByRole('link').first().click()
  await page.getByRole('table', { name: 'Files of evidence' }).getByText('order.txt').first().waitFor()
  await page.getByRole('table', { name: 'Mails about the order' }).getByText('has arrived').waitFor()
  await look(page, 'dispute')

  await page.getByRole('button', { name: 'Submit evidence…' }).click()
  const dialog = page.getByRole('dialog')
  expect(await dialog.getByLabel('What happened').inputValue()).toContain(order._id)
  await dialog.getByLabel('Reason').fill('delivered, see the transaction')
  await look(page, 'evidence')
  await dialog.getByRole('button', { name: 'Submit the evidence' }).dblclick()
  await dialog.getByText('The dispute is under review').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await page.getByRole('button', { name: 'Submit evidence…' }).waitFor({ state: 'detached' })
})

test('figures of sales are a plot and a table, and a week has those of its days', async () => {
  await placeOrder()
  const page = await openOffice({ prepare: speaking('en-US') })
  await goTo(page, 'Figures')
  const orders = page.getByRole('table', { name: 'Orders by period' })
  await page.getByText('Orders by period').first().click()
  await page.getByText('Money by period').first().click()
  await page.getByText('Works by period').first().click()
  const day = (ago: number) => dateText(Date.now() - ago * DAY_MS)
  const row = orders.getByRole('row').filter({ hasText: day(0) })
  await expect.poll(async () => Number(await row.getByRole('cell').nth(1).textContent())).toBeGreaterThan(0)
  await page.getByRole('table', { name: 'Price bands' }).getByText('over', { exact: false }).first().waitFor()
  await look(page, 'figures')
  const plot = page.locator('.plot').first()
  await plot.locator('.u-over').hover({ position: { x: 1, y: 100 } })
  await plot.getByText(day(29), { exact: true }).waitFor()
  await page.getByLabel('By', { exact: true }).selectOption('month')
  await orders.getByRole('row').filter({ hasText: ' to ' }).first().waitFor()
})

test('the bookings of a month are saved as the command line prints them', async () => {
  const { number, work } = await placeOrder()
  const page = await openOffice()
  await goTo(page, 'Books')
  const month = new Date().toISOString().slice(0, 7)
  expect(await page.getByLabel('Month (UTC)').inputValue()).toBe(month)
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save as CSV' }).click()
  const text = await readFile(await (await saved).path(), 'utf8')
  expect(text.split('\r\n').filter((row) => row.includes(number))).toEqual([expect.stringContaining(work.name)])
  expect(await printed('sales', '--month', month, '--csv')).toBe(`${text}\n`)
})

test('the sales of today are beside those of last week until the same time', async () => {
  await placeOrder()
  const page = await openOffice()
  const section = page.getByRole('region', { name: 'Sales of today' })
  await section.getByText(/^Both days from 00:00 until \d\d:\d\d UTC: today, and \w+ \d+ \w+,/).waitFor()
  const paid = section.getByRole('row').filter({ hasText: 'Orders paid' }).getByRole('cell')
  const figures = async () => {
    await paid.first().waitFor()
    return (await paid.allTextContents()).map((text) => Number(text.replace('+', '')))
  }
  // The minute that runs is not counted.
  const counted = async () => {
    if ((await figures())[1]! > 0) return true
    await page.reload()
    return false
  }
  await expect.poll(counted, { timeout: 90_000, interval: 5_000 }).toBe(true)
  const [, today, before, change] = await figures()
  expect(change).toBe(today! - before!)
})

test('a stop of sales is on the page of today until it ends', async () => {
  const pause = { until: new Date(Date.now() + DAY_MS).toISOString(), by: 'local', reason: 'stocktaking' }
  const page = await openOffice({
    prepare: (context) =>
      context.route('**/requests', (route) =>
        route.request().postDataJSON().endpoint === endpointKey(getSalesPause)
          ? route.fulfill({ json: { pause } })
          : route.continue(),
      ),
  })
  const section = page.getByRole('region', { name: 'New sales' })
  await section.getByText(/^Stopped until .* by local: stocktaking$/).waitFor()
  await section.getByRole('button', { name: 'Allow sales…' }).waitFor()
})

test('where a plot cannot be drawn, the figures are there', async () => {
  const page = await openOffice({ prepare: speaking('en-US@posix') })
  await goTo(page, 'Figures')
  await page.getByText('The plot could not be drawn.').first().waitFor()
  await page.getByText('Orders by period').first().click()
  await page.getByRole('table', { name: 'Orders by period' }).waitFor()
})

test('every page of the navigation opens, and axe finds nothing at three widths, in the dark too', async () => {
  await placeOrder('4000000000000259', 'disputed')
  const page = await openOffice({ viewport: desktop })
  const links = page.getByRole('navigation', { name: 'Office' }).getByRole('link')
  const names = await links.allInnerTexts()
  expect(names[0]).toBe('Today')
  for (const name of names) {
    await goTo(page, name)
    await page.getByRole('heading', { level: 1, name }).waitFor()
    await page.getByText(/^Times are those of your time zone, .+; days of figures/).waitFor()
    await page.getByText('Loading').first().waitFor({ state: 'detached' })
    await look(page, name.toLowerCase())
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectAccessible(page)
    await page.emulateMedia({ colorScheme: 'light' })
  }
})

test('on a tablet the long title of a work on auction breaks between its words', async () => {
  const { work, owner } = await workAndOwner(run, visitor)
  const auction: FoundAuction = {
    id: randomUUID(),
    itemId: work._id,
    token: `${work.contract}/${work.identifier}`,
    name: 'Counterrevolutionary Interpretations of a Quarrel',
    sellerId: owner.userId,
    opening: 1250,
    hours: 24,
    createdAt: '2026-03-01T10:00:00.000Z',
    startsAt: null,
    endsAt: '2099-12-28T10:00:00.000Z',
    latestEndAt: '2099-12-29T10:00:00.000Z',
    state: 'open',
    price: 12_500,
    leaderOrder: randomUUID(),
    bids: 12,
    endedAt: null,
    why: null,
    sellerVoided: 0,
  }
  const page = await openOffice({
    viewport: desktop,
    prepare: (context) =>
      context.route('**/requests', (route) =>
        route.request().postDataJSON().endpoint === endpointKey(listAuctions)
          ? route.fulfill({ json: { auctions: [auction], next: null } })
          : route.fallback(),
      ),
  })
  await goTo(page, 'Auctions')
  await page.setViewportSize(tablet)
  const title = page.getByRole('link', { name: auction.name })
  await title.waitFor()

  const lines = await title.evaluate((link: any) => {
    const text = link.firstChild
    return text.data.split(' ').map((word: string) => {
      const range = link.ownerDocument.createRange()
      range.setStart(text, text.data.indexOf(word))
      range.setEnd(text, text.data.indexOf(word) + word.length)
      return `${word} ${range.getClientRects().length}`
    })
  })
  expect(lines).toEqual(auction.name.split(' ').map((word) => `${word} 1`))
})

test('an account is found by its address, may sell after a confirmation, is deleted, and no address is in a URL', async () => {
  const person = await createUser(run)
  const page = await openOffice({ expects: [404] })
  await page.getByRole('searchbox').fill(person.email)
  await page.keyboard.press('Enter')
  await page.getByRole('main').getByRole('link', { name: person.username }).click()
  await page.getByRole('heading', { level: 1, name: person.username }).waitFor()
  expect(page.url()).not.toContain(person.email)

  await page.getByText('No operator has done anything yet.').waitFor()
  const filter = page.getByLabel('Contains')
  expect(await filter.count()).toBe(0)
  await page.getByRole('button', { name: 'Let it sell…' }).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('Her works were seen')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await dialog.getByText('It may mint and sell.').waitFor()
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Revoke selling…' }).waitFor()
  await page.getByRole('table', { name: 'What operators did with it' }).getByText('Her works were seen').waitFor()
  await filter.fill('other words')
  await page.getByText('No action contains that.').waitFor()
  await filter.fill('')
  await look(page, 'account')

  await page.getByRole('button', { name: 'Delete…' }).click()
  await dialog.getByLabel('Reason').fill('Asked by letter')
  await dialog.getByRole('button', { name: 'Delete the account' }).click()
  await dialog.getByText('It is deleted.').waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('No account has this id or e-mail address').waitFor()
  expect(await page.getByRole('button', { name: 'Suspend…' }).count()).toBe(0)
  await page.keyboard.press('Control+k')
  expect(await page.evaluate('document.activeElement.type')).toBe('search')
})

test('a service that does not respond is named in its sections, and the others stay usable', async () => {
  const page = await openOffice({ expects: [503] })
  await page.route('**/requests', (route) =>
    route.request().postDataJSON().service === 'minting'
      ? route.fulfill({
          status: 503,
          json: { success: false, code: 'service_unavailable', message: 'minting is down.' },
        })
      : route.continue(),
  )
  await page.reload()

  await page.getByRole('region', { name: 'Chain' }).getByText('minting is down.').waitFor()
  await page.getByRole('region', { name: 'Books' }).getByRole('link').waitFor()
  await page.getByRole('region', { name: 'Chain' }).getByRole('button', { name: 'Try again' }).waitFor()
  await look(page, 'failed')
})

/** The environment of a tool of `ben`, who has the role `support`. */
async function envOfSupport() {
  const { internalUrls } = JSON.parse(await readFile(join(folder, 'operator.json'), 'utf8'))
  const urls = serviceNames.map((name) => [internalUrlVariable(name), internalUrls[name]])
  return { ...process.env, ...Object.fromEntries(urls), OPERATOR_NAME: 'ben', OPERATOR_KEY: supportKey }
}

test('an operator with one role reads what it lists, and is told the role that the rest needs', async () => {
  const page = await visit(await startOffice(await envOfSupport()), { expects: [403] })

  const disputes = page.getByRole('region', { name: 'Disputes' })
  await disputes.getByText('This needs an operator with the role money.').waitFor()
  expect(await disputes.getByRole('button').count()).toBe(0)
  await page.getByRole('region', { name: 'Contact messages' }).getByRole('link').waitFor()

  const { email, username } = run.accounts[0]!
  await page.getByRole('searchbox').fill(email)
  await page.keyboard.press('Enter')
  await page.getByRole('main').getByRole('link', { name: username }).first().click()
  await page.getByRole('button', { name: 'Suspend…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('Asked for it')
  await dialog.getByRole('button', { name: 'Suspend the account' }).click()
  await dialog.getByRole('alert').getByText('This needs an operator with the role moderation.').waitFor()
})

test('a used address opens nothing in another browser, and keeps the first one open', async () => {
  const address = await startOffice()
  const first = await visit(address)
  await first.getByRole('navigation', { name: 'Office' }).waitFor()
  expect(first.url()).not.toContain('#')
  await first.reload()
  await first.getByRole('navigation', { name: 'Office' }).waitFor()

  const second = await visit(address, { expects: [403] })
  await second.getByRole('heading', { name: 'The office is closed' }).waitFor()
  await look(second, 'closed')
})

test('an order is found by the address of its buyer, by its payment and by its work, and gets a note', async () => {
  const { person, work, number, order } = await placeOrder()
  const page = await openOffice()
  const search = async (text: string) => {
    await page.getByRole('searchbox').fill(text)
    await page.keyboard.press('Enter')
    await page.getByRole('main').getByRole('link', { name: number }).first().waitFor()
  }
  await search(person.email)
  await look(page, 'search')
  await search(`@${person.username.replace(/^@/, '')}`)
  await search(`${work.contract}/${work.identifier}`)
  await search(order.lines[0]!.txHash!)
  await page.getByRole('main').getByRole('link', { name: number }).first().click()

  await page.getByRole('button', { name: 'Add a note…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Note').fill('She called twice')
  await dialog.getByRole('button', { name: 'Add the note' }).dblclick()
  await dialog.getByText('The note is in the timeline.').waitFor()
  await page.keyboard.press('Escape')
  const timeline = page.getByRole('table', { name: 'Timeline of the order' })
  await timeline.getByText('She called twice').waitFor()
  expect(await timeline.getByText('She called twice').count()).toBe(1)
  await timeline
    .getByRole('row')
    .filter({ hasText: `${person.email}, sent` })
    .first()
    .waitFor()

  // Whoever answers a message sees the orders of its sender, and from the account all messages.
  const subject = `I paid twice ${randomUUID()}`
  await writeToShop({ name: 'Nora', email: person.email, subject, message: 'One back, please.' })
  await goTo(page, 'Messages')
  await page.getByRole('main').getByRole('link', { name: subject }).click()
  await page.getByRole('main').getByRole('link', { name: number }).click()
  await page.getByRole('main').getByRole('link', { name: person.username }).click()
  await page.getByRole('table', { name: 'Messages of its address' }).getByRole('link', { name: subject }).waitFor()
  await page.getByRole('main').getByRole('link', { name: number }).first().click()

  await page.getByRole('link', { name: work.name, exact: true }).first().click()
  await page.getByRole('heading', { level: 1, name: work.name }).waitFor()
  await page.getByRole('table', { name: 'History of the work' }).waitFor()
  await look(page, 'work')
})

test('an order is cancelled once, after what will happen was shown, and stays in its timeline with the reason', async () => {
  const { buyer, work, orderId, number } = await placeUnpaidOrder()
  const page = await openOffice()
  await openOrder(page, number)

  await page.getByRole('button', { name: 'Cancel…' }).click()
  await page.getByRole('dialog').getByText(`“${work.name}” is free again`).waitFor()
  await look(page, 'cancel')
  await act(page, 'Cancel the order', { reason: 'She asked for it', outcome: /^The order is (released|still)/ })

  await untilOrder(buyer, orderId, 'released')
  await rowsOf(page, 'cancel', 'She asked for it').waitFor()
  expect(await rowsOf(page, 'cancel', 'She asked for it').count()).toBe(1)
  await page.getByRole('button', { name: 'Cancel…' }).waitFor({ state: 'detached' })
})

test('an offer is found by its work and by its buyer, and released once with a reason', async () => {
  const { work, owner } = await workAndOwner(run, visitor)
  const { contract, identifier } = work
  const minimum = { params: { contract, identifier }, body: { minimum: work.price } }
  expect((await apiClientOf(run, owner).send(setOfferMinimum, minimum)).body.message).toBeUndefined()
  const person = await createUser(run)
  const buyer = apiClientOf(run, person)
  const offer = { itemId: work._id, price: work.price, days: 3, deliverTo: 'custody' as const }
  const { body } = await buyer.send(makeOffer, { body: offer })
  expect(body.message).toBeUndefined()
  await pay(run, body.url, run.cards.approved)
  await waitUntil(async () => (await buyer.order(body.orderId)).decideBy !== null || undefined)
  const number = orderNumber(body.orderId)
  expect(await printed('offers', '--of', person.email)).toMatch(new RegExp(`${number} .* open .*${person.username}`))
  expect(await printed('order', number)).toMatch(/^Offer [\s\S]* held until the owner decides, by 20/)

  const page = await openOffice()
  await goTo(page, 'Offers')
  await page.getByRole('table', { name: 'Offers', exact: true }).getByRole('link', { name: number }).waitFor()
  for (const [search, title] of [
    [person.email, `Offers by ${person.username} and for their works`],
    [`${contract}/${identifier}`, `Offers for “${work.name}”`],
  ]) {
    await page.getByLabel('Title, address, name, e-mail or wallet').fill(search!)
    await page.getByRole('button', { name: 'Search', exact: true }).last().click()
    await page.getByRole('table', { name: title! }).getByRole('link', { name: number }).waitFor()
  }
  await look(page, 'offers')

  await page.getByRole('table', { name: 'Offers', exact: true }).getByRole('link', { name: number }).click()
  await page.getByRole('heading', { level: 1, name: `Offer ${number}` }).waitFor()
  await page.getByRole('region', { name: 'The offer' }).getByText('3 days').waitFor()
  await page.getByRole('button', { name: 'Release…' }).click()
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Release the offer' })
  expect(await confirm.getAttribute('class')).toContain('button--danger')
  await look(page, 'offer')
  await act(page, 'Release the offer', { reason: 'Asked for by mail', outcome: /^The offer is (released|still)/ })

  await untilOrder(buyer, body.orderId, 'released')
  await page.getByRole('region', { name: 'The offer' }).getByText('operator').waitFor()
  await rowsOf(page, 'cancel', 'Asked for by mail').waitFor()
  expect(await rowsOf(page, 'cancel', 'Asked for by mail').count()).toBe(1)
  await page.getByRole('button', { name: 'Release…' }).waitFor({ state: 'detached' })
})

test('an alarm about too little captured by hand is acknowledged until a time, and the state is accepted once', async () => {
  const { buyer, url, orderId, number } = await placeUnpaidOrder()
  await pay(run, url, run.cards.approved)
  const { total } = await untilOrder(buyer, orderId, 'authorised')
  const cents = Math.round(total * 100) - 100
  await atProcessor(`payment_intents/${await intentOf(url)}/capture`, { amount_to_capture: String(cents) })
  const page = await openOffice()
  await openOrder(page, number)

  const alarms = page.getByRole('table', { name: 'Alarms' })
  await alarms.getByRole('button', { name: 'Acknowledge…' }).click()
  await page.getByRole('dialog').getByLabel('Until').fill('2099-03-01T09:00')
  await look(page, 'acknowledge')
  const outcome = /^Acknowledged by .* until 1 Mar 2099, 09:00/
  await act(page, 'Deal with the alarm', { reason: 'I call the processor', outcome })
  await alarms.getByText(/until 1 Mar 2099, 09:00: I call the processor/).waitFor()
  await look(page, 'acknowledged')

  await page.getByRole('button', { name: 'Compare with the card processor…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Accept…' }).click()
  await page.getByRole('dialog').last().getByText('What will happen').waitFor()
  await look(page, 'accept')
  await act(page, 'Record the card processor’s state', { reason: 'A euro less', outcome: /state is recorded/ })
  await page.getByText('Both sides agree.').waitFor()
  await page.keyboard.press('Escape')

  await untilOrder(buyer, orderId, 'completed')
  await rowsOf(page, 'accept', 'A euro less').waitFor()
  expect(await rowsOf(page, 'accept', 'A euro less').count()).toBe(1)
})

test('a refund that was made at the card processor is found on the start page and assigned once', async () => {
  const { buyer, url, orderId, number } = await placeUnpaidOrder()
  await pay(run, url, run.cards.approved)
  await untilOrder(buyer, orderId, 'completed')
  await atProcessor('refunds', { payment_intent: await intentOf(url) })
  await untilOrder(buyer, orderId, 'refunded')
  const page = await openOffice()
  await page
    .getByRole('table', { name: 'Refunds and disputes that nobody bears' })
    .getByRole('link', { name: number })
    .click()

  await page.getByRole('button', { name: 'Assign…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Borne by the store, the shares').waitFor()
  await dialog.getByLabel('Borne by').selectOption('The store')
  await look(page, 'assign')
  await act(page, 'Decide who bears it', { reason: 'Our mistake', outcome: /^The store bears/ })

  await rowsOf(page, 'assign', 'Our mistake').waitFor()
  expect(await rowsOf(page, 'assign', 'Our mistake').count()).toBe(1)
  await page.getByRole('button', { name: 'Assign…' }).waitFor({ state: 'detached' })
})

test('a delivery is reached from its order, with the attempts and the fee of its transaction', async () => {
  const { number, order, work } = await placeOrder()
  const { txHash } = order.lines[0]!
  const page = await openOffice()
  await openOrder(page, number)
  await page.getByRole('link', { name: 'Delivery', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Delivery' }).waitFor()
  await page.getByRole('table', { name: 'Attempts' }).getByText(txHash!).waitFor()
  await page
    .getByText(/^[\d,.]+ gwei$/)
    .first()
    .waitFor()
  await look(page, 'delivery')

  await goTo(page, 'Deliveries')
  for (const name of ['Waiting', 'Signed']) await page.getByRole('region', { name }).waitFor()
  const row = page.getByRole('table', { name: 'Ended' }).getByRole('row').filter({ hasText: number })
  await row.getByText(txHash!.slice(-8)).waitFor()
  await look(page, 'deliveries-final')
  await row.getByRole('link', { name: 'Work' }).click()
  await page.getByRole('heading', { level: 1, name: work.name }).waitFor()
})

test('works of an exhibition are found by title, artist and page, seen, and put in order by the keyboard', async () => {
  const [first, second] = (await visitor.market()).filter(
    ({ name }, index, all) => all.findIndex((each) => each.name === name) === index,
  )
  const page = await openOffice()
  await goTo(page, 'Exhibitions')
  await page.getByRole('button', { name: 'New or replaced one…' }).click()
  const dialog = page.getByRole('dialog')
  const slug = `evening-${randomUUID().slice(0, 8)}`
  await dialog.getByLabel(/^Address/).fill(slug)
  await dialog.getByLabel('Title', { exact: true }).fill('An Evening')
  await dialog.getByLabel('Opening day').fill('2099-01-01')
  const find = async (text: string) => {
    await dialog.getByRole('searchbox').fill(text)
    await page.keyboard.press('Enter')
  }
  const found = dialog.getByRole('list', { name: 'Found works' })
  await find(first!.name)
  const picture = found.getByRole('listitem').filter({ hasText: first!.creatorUsername! }).first().locator('img')
  await expect.poll(() => picture.evaluate((image: any) => image.naturalWidth)).toBeGreaterThan(0)
  await found
    .getByRole('button', { name: `Add ${first!.name}` })
    .first()
    .press('Enter')
  await find(second!.creatorUsername!)
  await found.getByRole('button', { name: `Add ${second!.name}` }).waitFor()
  await find(`${run.url}/item-detail/x/${second!.contract}/${second!.identifier}`)
  await found.getByRole('button', { name: `Add ${second!.name}` }).press('Enter')

  const chosen = dialog.getByRole('list', { name: 'Chosen works' })
  const order = async () => (await chosen.getByRole('listitem').allInnerTexts()).map((text) => text.slice(0, 2))
  expect(await order()).toEqual(['1.', '2.'])
  await chosen.getByRole('button', { name: `Up ${second!.name}` }).press('Enter')
  await expect
    .poll(async () => (await chosen.getByRole('listitem').first().textContent()) ?? '')
    .toContain(second!.name)
  await look(page, 'exhibition')
  await act(page, 'Set the exhibition', { reason: 'autumn', outcome: `/exhibitions/${slug} has 2 works` })
  await page.getByRole('table', { name: 'Exhibitions' }).getByText(`/exhibitions/${slug}`).waitFor()

  await goTo(page, 'Works')
  await page.getByRole('button', { name: 'Change…' }).click()
  const names = await page.getByRole('table', { name: 'Featured works' }).getByRole('link').allInnerTexts()
  expect(names.length).toBeGreaterThan(0)
  for (const [index, name] of names.entries())
    expect(await chosen.getByRole('listitem').nth(index).textContent()).toContain(`${index + 1}. ${name}`)
  await look(page, 'featured')
})

test('a payout that a restored database lost is recorded for the shares that it paid', async () => {
  const { work } = await placeOrder()
  const page = await openOffice()
  await goTo(page, 'Payouts')
  const owed = page.getByRole('table', { name: 'What each account is owed' })
  await owed.getByRole('row').filter({ hasText: work.ownerUsername! }).getByRole('button', { name: 'Shares' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Record a past payout…' }).click()
  const dialog = page.getByRole('dialog').last()
  const share = dialog.getByRole('checkbox', { name: work.name }).last()
  const amount = /, ([\d,.]+)/.exec(
    (await dialog.locator('label', { hasText: work.name }).last().textContent())!.slice(work.name.length),
  )![1]!
  await share.check()
  await dialog.getByLabel('Amount in euros').fill(amount.replace(',', ''))
  await look(page, 'past-payout')
  await act(page, 'Record the past payout', {
    reason: 'on the statement of the bank',
    outcome: /^Recorded: .* paid for 1 share/,
  })
  await page.keyboard.press('Escape')
  await page.getByRole('table', { name: 'Recorded payouts' }).getByText('on the statement of the bank').waitFor()
  expect(
    await page.getByRole('table', { name: 'Recorded payouts' }).getByText('on the statement of the bank').count(),
  ).toBe(1)
})

test('a store without works shows the first steps, those that are done marked', async () => {
  const answers = {
    [endpointKey(searchItems)]: { items: [], next: null },
    [endpointKey(countSellers)]: { sellers: 0 },
    [endpointKey(searchAccounts)]: { accounts: [{ emailConfirmed: true }], next: null },
  }
  const page = await openOffice({
    prepare: (context) =>
      context.route('**/requests', (route) => {
        const json = answers[route.request().postDataJSON().endpoint]
        return json ? route.fulfill({ json }) : route.continue()
      }),
  })
  const steps = page.getByRole('region', { name: 'First steps' }).getByRole('listitem')
  await expect
    .poll(() => steps.allInnerTexts())
    .toMatchObject([
      expect.stringMatching(new RegExp(`^Sign up at ${run.url}/signup .*done`)),
      expect.stringMatching(/grant-admin .*to do/),
      expect.stringMatching(/studio to do/),
    ])
  await look(page, 'first-steps')
  await steps.getByRole('link', { name: 'Works' }).click()
  await page.getByRole('heading', { level: 1, name: 'Works' }).waitFor()
})
