import { pay, untilOrder } from '@nifty/testkit/api-client'
import { desktop, phone } from '@nifty/testkit/browser'
import { apiClientOf, demoUser } from '@nifty/testkit/users'
import { availableWork, itemPath } from '@nifty/testkit/works'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible } from './expect-accessible.ts'
import { useBrowser } from './use-browser.ts'

const { run, visit, visitor } = await useBrowser()

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
const code = (page: Page) => page.getByRole('img', { name: 'QR code with the link of this certificate' })
const addLink = (page: Page) => page.getByRole('button', { name: 'Add a link and QR code' })
/** The entry of a link in the settings. */
const linkRow = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Certificate links' }).getByRole('listitem').filter({ hasText: name })
/** The link that the owner's page has for others. */
async function linkOn(page: Page): Promise<string> {
  await code(page).waitFor()
  return (await page.getByRole('link', { name: 'See what others see' }).getAttribute('href'))!
}

test('the link of a certificate says what is true: before a sale, after it, renewed and switched off', async () => {
  const [creator, collector] = [await demoUser(run, 'creator'), await demoUser(run, 'collector', 1)]
  const work = await availableWork(visitor, ({ ownerUsername }) => ownerUsername === creator.username)

  const page = await visit(itemPath(work), { as: creator })
  await page.getByRole('main').getByRole('link', { name: 'Certificate', exact: true }).press('Enter')
  await title(page, 'Certificate')
  await addLink(page).press('Enter')
  const link = await linkOn(page)
  await page.getByRole('button', { name: 'Copy link' }).and(page.locator(':focus')).press('Enter')
  await page.getByText('Link copied').waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(link)
  expect(link).toMatch(new RegExp(`^${run.url}/certificate#[\\w-]{43}$`))
  await expectAccessible(page)

  const mobile = await visit(link.slice(run.url.length), { viewport: phone, touch: true })
  const sent: string[] = []
  mobile.on('request', (request) => sent.push(request.url().split('#')[0]! + JSON.stringify(request.headers())))
  await title(mobile, 'This certificate is valid')
  const sheet = mobile.getByRole('article')
  await sheet.getByRole('heading', { level: 2, name: work.name }).waitFor()
  for (const fact of [work.identifier, work.contract, /^[0-9a-f]{64}$/, '1 of 1'])
    await sheet.getByText(fact, { exact: true }).first().waitFor()
  await sheet.getByText(/^Owned by .* since .* as of /).waitFor()
  await code(mobile).waitFor()
  await expectAccessible(mobile)
  const document = await mobile.reload()
  await title(mobile, 'This certificate is valid')
  expect(mobile.url()).toBe(link)
  expect(document!.headers()).toMatchObject({ 'referrer-policy': 'no-referrer' })
  expect(await document!.text()).toContain('<meta name="robots" content="noindex"')
  expect(sent.filter((request) => request.includes(link.split('#')[1]!))).toEqual([])

  const unpictured = await visit(link.slice(run.url.length), {
    expects: [500],
    prepare: (context) => context.route('**/api/nfts/**', (route) => route.fulfill({ status: 500, json: {} })),
  })
  await title(unpictured, 'This certificate is valid')
  await unpictured.getByText('The store does not show this work at present.').waitFor()
  await code(unpictured).waitFor()

  const buyer = apiClientOf(run, collector)
  const { body } = await buyer.buy(work)
  await pay(run, body.url, run.cards.approved)
  await untilOrder(buyer, body.orderId, 'completed')
  await mobile.reload()
  await title(mobile, 'This certificate is no longer valid')
  await sheet.getByRole('heading', { level: 2, name: work.name }).waitFor()
  expect(await mobile.getByText(/Owned by/).count()).toBe(0)
  expect(await code(mobile).count()).toBe(0)
  await expectAccessible(mobile)
  const former = await visit(new URL(page.url()).pathname, { as: creator, expects: [403] })
  await former.getByText('This work is not yours').waitFor()
  expect(await former.getByRole('button', { name: 'Print' }).count()).toBe(0)
  await expectAccessible(former)
  await former.goto(`/creator-profile-edit/${creator.userId}`)
  const sold = linkRow(former, work.name)
  await sold.getByText('The work is no longer yours, and the link says so.').waitFor()
  expect(await sold.getByRole('button', { name: 'New link' }).count()).toBe(0)
  await expectAccessible(former)
  await sold.getByRole('button', { name: `Switch off the link of ${work.name}` }).press('Enter')
  await former.getByRole('button', { name: 'Switch it off' }).press('Enter')
  await sold.waitFor({ state: 'detached' })
  await former.locator(':focus', { hasText: 'Certificate links' }).or(former.locator('ul:focus')).waitFor()

  const owner = await visit(`/orders/${body.orderId}/certificate`, { as: collector, viewport: desktop })
  await addLink(owner).click()
  const first = await linkOn(owner)
  await owner.getByRole('button', { name: 'New link' }).press('Enter')
  await owner.getByRole('button', { name: 'Make a new link' }).press('Enter')
  await expect.poll(() => linkOn(owner)).not.toBe(first)
  await owner.getByRole('button', { name: 'New link' }).and(owner.locator(':focus')).waitFor()
  const second = await linkOn(owner)
  const certificatePage = owner.url()
  await owner.goto(`/creator-profile-edit/${collector.userId}`)
  const row = linkRow(owner, work.name)
  await row.getByRole('button', { name: 'New link' }).press('Enter')
  await owner.getByRole('button', { name: 'Make a new link' }).press('Enter')
  await row.getByRole('button', { name: 'New link' }).and(owner.locator(':focus')).waitFor()
  await row.getByRole('link', { name: work.name }).press('Enter')
  await expect.poll(() => linkOn(owner)).not.toBe(second)
  const third = await linkOn(owner)
  await owner.goto(certificatePage)
  await owner.getByRole('button', { name: 'Switch off' }).press('Enter')
  await expectAccessible(owner)
  await owner.getByRole('button', { name: 'Switch it off' }).press('Enter')
  await addLink(owner).and(owner.locator(':focus')).waitFor()
  expect(await code(owner).count()).toBe(0)

  for (const [dead, sentence] of [
    [link, 'The person who made this link has switched it off.'],
    [first, 'This link has been replaced by a new one.'],
    [second, 'This link has been replaced by a new one.'],
    [third, 'The person who made this link has switched it off.'],
    [`${run.url}/certificate#nonsense`, 'There is no such certificate.'],
  ] as const) {
    const late = await visit(dead.slice(run.url.length), { expects: [404] })
    await title(late, 'This certificate cannot be opened')
    await late.getByText(sentence).waitFor()
    await expectAccessible(late)
  }
})

test('a certificate without its link says how it opens', async () => {
  const page = await visit('/certificate')
  await title(page, 'Scan a certificate')
  await expectAccessible(page)
})

test('the owner of a work finds its certificate in the profile', async () => {
  const creator = await demoUser(run, 'creator')
  const page = await visit(`/creator-profile/${creator.username}`, { as: creator })
  const link = page
    .getByRole('main')
    .getByRole('link', { name: /^Certificate: / })
    .first()
  expect(await link.getAttribute('href')).toMatch(/^\/certificates\/0x[0-9a-fA-F]{40}\/\d+$/)
})
