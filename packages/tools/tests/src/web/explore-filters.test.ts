import { phone } from '@nifty/testkit/browser'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { stopClock, useBrowser } from './use-browser.ts'

const { visit, visitor } = await useBrowser()

const ready = (page: Page) => page.getByRole('article').first().waitFor()
const result = (page: Page) => page.getByRole('main').getByRole('status').filter({ hasText: 'work' }).first()
const paramsOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)
const euros = (texts: string[]) => texts.map((text) => Number(text.replace(/[^\d.]/g, '')))

test('order, price range, colour, shape and artist are in the address, in the title and in the request', async () => {
  const page = await visit('/explore-one?items=true')
  await ready(page)
  await page.getByLabel('Sort by').selectOption('Price: low to high')
  await page.waitForURL('**/explore-one?items=true&sort=price_asc')
  await page.getByLabel('Price from (€)').fill('60')
  await page.getByLabel('Price from (€)').press('Enter')
  await expect.poll(() => paramsOf(page)).toMatchObject({ minPrice: '60' })
  await expect.poll(() => page.getByLabel('Price from (€)').evaluate((field) => field.matches(':focus'))).toBe(true)
  await page.getByLabel('Price to (€)').fill('900')
  await page.getByLabel('Price to (€)').press('Tab')
  await page.getByLabel('Shape').selectOption('Portrait')
  await expect.poll(() => paramsOf(page)).toMatchObject({ maxPrice: '900', orientation: 'portrait' })
  await expect.poll(() => page.title()).toContain('For sale, Portrait, 60')
  await expect
    .poll(async () => {
      const prices = euros(await page.locator('.item-card__price').allTextContents())
      return (
        prices.length > 0 && prices.every((price, at) => price >= 60 && price <= 900 && price >= (prices[at - 1] ?? 0))
      )
    })
    .toBe(true)

  await page.getByRole('radio', { name: 'blue', exact: true }).click()
  await expect.poll(() => paramsOf(page)).toMatchObject({ color: 'blue' })
  await page.reload()
  await page.getByRole('radio', { name: 'blue', exact: true, checked: true }).waitFor()
  const focused = () => page.evaluate('document.activeElement.type + " " + document.activeElement.ariaLabel')
  await page.getByRole('radio', { name: 'blue', exact: true }).focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => paramsOf(page)).toMatchObject({ color: 'purple' })
  expect(await focused()).toBe('radio purple')
  await page.keyboard.press('Tab')
  expect(await focused()).not.toMatch(/^radio/)
  await page.getByRole('button', { name: 'Clear all' }).click()
  await expect.poll(() => paramsOf(page)).toEqual({})
  await expect.poll(() => page.title()).toBe('Explore Items | Nifty')
  expect(await page.getByLabel('Price from (€)').inputValue()).toBe('')
})

test('the works of an artist are found by the username; each filter is removed on its own', async () => {
  const artist = (await visitor.market()).find(({ creatorUsername }) => creatorUsername)!.creatorUsername!
  const page = await visit(`/explore-one?creator=${encodeURIComponent(artist)}&sort=price_desc`)
  await ready(page)
  expect(await page.getByLabel('Artist').inputValue()).toBe(artist)
  await page.getByRole('button', { name: `Remove filter: By ${artist}` }).click()
  await expect.poll(() => paramsOf(page)).toEqual({ sort: 'price_desc' })
  await page.goBack()
  await expect.poll(() => page.getByLabel('Artist').inputValue()).toBe(artist)
})

test('a wrong price is said beside the field and not sent', async () => {
  const page = await visit('/explore-one')
  await ready(page)
  await page.getByLabel('Price from (€)').fill('cheap')
  await page.getByLabel('Price from (€)').press('Enter')
  await page.getByText('An amount such as 120 or 99.50').waitFor()
  expect(paramsOf(page)).toEqual({})
  await page.getByLabel('Price from (€)').fill('90')
  await page.getByLabel('Price to (€)').fill('20')
  await page.getByLabel('Price to (€)').press('Enter')
  await page.getByText('From is above to').waitFor()
  expect(paramsOf(page)).toEqual({ minPrice: '90' })
  await page.getByLabel('Price from (€)').fill('10')
  await page.getByLabel('Price from (€)').press('Enter')
  await expect.poll(() => paramsOf(page)).toEqual({ minPrice: '10', maxPrice: '20' })
  await page.getByText('From is above to').waitFor({ state: 'detached' })
})

test('a typed price is read as a European means it, and shown before it counts', async () => {
  const page = await visit('/explore-one')
  await ready(page)
  const from = page.getByLabel('Price from (€)')
  await from.pressSequentially('1.500,5')
  await page.getByText('= 1,500.50\u00a0€', { exact: true }).waitFor()
  await from.press('Enter')
  await expect.poll(() => paramsOf(page)).toEqual({ minPrice: '1500.5' })
  await expect.poll(() => from.inputValue()).toBe('1500.5')
  await from.fill('1,500')
  await from.press('Enter')
  await page.getByText('“1,500” has two meanings: please type 1500 or 1.50').waitFor()
  expect(paramsOf(page)).toEqual({ minPrice: '1500.5' })
})

test('typed prices and artists apply after a pause of 300 ms, as the search does, and keep the form they were typed in', async () => {
  const [work] = await visitor.market()
  const page = await visit('/explore-one', { prepare: (context) => context.clock.install() })
  await ready(page)
  await stopClock(page)
  const to = page.getByLabel('Price to (€)')
  await to.pressSequentially('912,5')
  await page.clock.runFor(299)
  expect(paramsOf(page)).toEqual({})
  await page.clock.runFor(1)
  await expect.poll(() => paramsOf(page)).toEqual({ maxPrice: '912.5' })
  expect(await to.inputValue()).toBe('912,5')

  // Half of an amount is no error while it is typed, and none is applied.
  await to.fill('912,')
  await page.clock.runFor(300)
  expect(await page.getByText('An amount such as 120 or 99.50').count()).toBe(0)
  await to.fill('')
  await page.clock.runFor(300)
  await expect.poll(() => paramsOf(page)).toEqual({})

  const { creator } = await visitor.item(work!)
  const name = `${creator!.lastName} ${creator!.firstName}`.toLowerCase()
  await page.getByLabel('Artist').fill(name)
  await page.clock.runFor(300)
  await expect.poll(() => paramsOf(page)).toEqual({ creator: name })
  await expect.poll(() => result(page).textContent()).toMatch(new RegExp(`^[1-9]\\d* works?, By ${name}$`))
})

test('colour and shape are words of the search', async () => {
  const works = await visitor.market()
  const { colorName } = await visitor.item(works.find(({ width, height }) => width > 1.1 * height)!)
  const page = await visit(`/explore-one?search=${colorName}+landscape`)
  await expect.poll(() => result(page).textContent()).toMatch(/^[1-9]\d* works? for “/)
  const found = await page.getByRole('heading', { level: 3 }).allTextContents()
  for (const name of found) {
    const { width, height } = works.find((work) => work.name === name)!
    expect(width / height, name).toBeGreaterThan(1.05)
  }
})

test('the page says what was searched and how many works were found, and that it forgave a typing error', async () => {
  const work = (await visitor.market()).find(({ name }) => /^[A-Z][a-z]{6,}/.test(name))!
  const word = work.name.split(/[^A-Za-z]/)[0]!
  const page = await visit(`/explore-one?search=${word}`)
  await expect.poll(() => result(page).textContent()).toMatch(new RegExp(`^\\d+ works? for “${word}”$`))
  const mistyped = `${word.slice(0, 3)}${word[4]}${word[3]}${word.slice(5)}`
  await page.goto(`/explore-one?search=${mistyped}`)
  await expect.poll(() => result(page).textContent()).toContain(`Nothing is called “${mistyped}”.`)
  await ready(page)
})

test('an empty result offers the nearest works', async () => {
  const work = (await visitor.market()).find(({ name }) => /^[A-Z][a-z]{6,}/.test(name))!
  const word = work.name.split(/[^A-Za-z]/)[0]!
  const page = await visit(`/explore-one?search=${word}+qqzzqq`)
  await page.getByText('No NFTs available').waitFor()
  await page.getByRole('heading', { level: 2, name: `Works for “${word}”` }).waitFor()
  await ready(page)
})

test('auctions say that there are none', async () => {
  const page = await visit('/explore-one?items=auctions')
  await page.getByText('No work is on auction right now.').waitFor()
})

test('a page beyond the last one is the last one', async () => {
  const page = await visit('/explore-one')
  // A store that has just started still makes works: a try during which the last page changed is repeated.
  await expect
    .poll(async () => {
      const pages = Math.ceil((await visitor.call('GET', '/api/nfts/market?page=1&limit=200')).body.total / 8)
      await page.goto('/explore-one?page=9999')
      await page.waitForURL((url) => url.searchParams.get('page') !== '9999')
      await ready(page)
      return (
        paramsOf(page).page === String(pages) &&
        page.locator('.pagination [aria-current=page]').getByText(String(pages)).isVisible()
      )
    })
    .toBe(true)
})

test.each([
  ['a phone', phone],
  ['a phone on its side', { width: phone.height, height: phone.width }],
])('on %s the filters are a sheet, whose button counts the active ones', async (_, viewport) => {
  const page = await visit('/explore-one?color=blue&category=Cube', { viewport })
  const open = page.getByRole('button', { name: 'Sort and filter (1)' })
  await open.click()
  const sheet = page.getByRole('dialog', { name: 'Sort and filter' })
  await sheet.getByRole('radio', { name: 'any', exact: true }).click()
  await sheet.getByLabel('Sort by').selectOption('Price: high to low')
  await expect.poll(() => paramsOf(page)).toEqual({ category: 'Cube', sort: 'price_desc' })
  await page.keyboard.press('Escape')
  await expect.poll(() => sheet.isVisible()).toBe(false)
  await expect
    .poll(() => page.getByRole('button', { name: 'Sort and filter (1)' }).evaluate((it) => it.matches(':focus')))
    .toBe(true)
})
