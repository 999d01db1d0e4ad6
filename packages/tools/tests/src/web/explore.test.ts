import { phone } from '@nifty/testkit/browser'
import { expect, test } from 'vitest'
import { stopClock, useBrowser } from './use-browser.ts'

const { visit, visitor } = await useBrowser()

test('the dropdowns have exactly their options', async () => {
  const page = await visit('/explore-one')
  await page.getByRole('article').first().waitFor()
  const optionsOf = (name: string) => page.getByLabel(name, { exact: true }).getByRole('option').allInnerTexts()
  expect(await optionsOf('Categories')).toEqual([
    'All',
    'Art',
    'Moto',
    'Animals',
    'Robots',
    'Cube',
    'Tube',
    'Cyber',
    'Anime',
  ])
  expect(await optionsOf('Items')).toEqual(['All', 'Buy Now', 'Auctions', 'Offers'])
})

test('typing sends one request after a pause of 300 ms, and the URL keeps the search', async () => {
  const asked: string[] = []
  const page = await visit('/explore-one', {
    prepare: async (context) => {
      await context.clock.install()
      context.on('request', (request) => {
        const { pathname, searchParams } = new URL(request.url())
        if (pathname === '/api/nfts/market' && searchParams.has('search')) asked.push(searchParams.get('search')!)
      })
    },
  })
  const work = (await visitor.market())[5]!
  await page.getByRole('article').first().waitFor()
  await stopClock(page)
  await page.getByPlaceholder('Search your keywords').pressSequentially(work.name)
  await page.clock.runFor(299)
  expect(await page.evaluate('location.search')).toBe('')
  await page.clock.runFor(1)
  await expect.poll(() => new URL(page.url()).searchParams.get('search')).toBe(work.name)
  await page.getByRole('article').getByRole('heading', { name: work.name }).waitFor()
  // The work may have been in the list before the search.
  await expect.poll(() => asked).toEqual([work.name])
})

test('reload and back keep filters and page', async () => {
  const page = await visit('/explore-one', { viewport: phone })
  await page.getByRole('article').first().waitFor()
  expect(await page.getByRole('button', { name: 'Previous page' }).isDisabled()).toBe(true)
  const first = await page.getByRole('heading', { level: 3 }).first().textContent()
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect.poll(() => page.getByRole('heading', { level: 3 }).first().textContent()).not.toBe(first)
  await page.reload()
  await page.locator('.pagination [aria-current=page]').getByText('2', { exact: true }).waitFor()
  await page.goBack()
  await expect.poll(() => page.getByRole('heading', { level: 3 }).first().textContent()).toBe(first)

  await page.getByLabel('Categories').selectOption('Cube')
  await page.waitForURL('**/explore-one?category=Cube')
  await page.reload()
  await expect.poll(() => page.getByLabel('Categories').inputValue()).toBe('Cube')
})

test('the portraits of cards are loaded in their small size', async () => {
  const page = await visit('/explore-one')
  const portrait = page.locator('.item-card .avatar img').first()
  await expect.poll(() => portrait.evaluate((it) => (it as unknown as { naturalWidth: number }).naturalWidth)).toBe(144)
})

test('the last page has no next one', async () => {
  const page = await visit('/explore-one')
  // A store that has just started still makes works: a try during which the last page changed is repeated.
  await expect
    .poll(async () => {
      const pages = Math.ceil((await visitor.call('GET', '/api/nfts/market?page=1&limit=200')).body.total / 8)
      await page.goto(`/explore-one?page=${pages}`)
      await page.getByRole('article').first().waitFor()
      return page.getByRole('button', { name: 'Next page' }).isDisabled()
    })
    .toBe(true)
})

test('Buy Now filters works for sale; an empty result shows a message and a link', async () => {
  const page = await visit('/explore-one')
  const market = page.waitForRequest((request) => request.url().includes('buyOption=now'))
  await page.getByLabel('Items', { exact: true }).selectOption('Buy Now')
  await market
  await page.getByRole('article').first().waitFor()
  await page.getByLabel('Items', { exact: true }).selectOption('Auctions')
  await page.getByText('No NFTs available').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('article').first().waitFor()
})

test('a card leads to the work by hover and by keyboard', async () => {
  const page = await visit('/explore-one?items=true')
  const card = page.getByRole('article').first()
  await card.hover()
  const name = String(await card.getByRole('heading').textContent())
  const buy = card.getByRole('link', { name: `Buy Now: ${name}` })
  await buy.focus()
  await expect.poll(() => buy.evaluate((link: any) => link.checkVisibility({ opacityProperty: true }))).toBe(true)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name }).waitFor()
})

test('a list is cached for three minutes: coming back sends no request before', async () => {
  const asked: string[] = []
  const page = await visit('/explore-one', {
    prepare: async (context) => {
      await context.clock.install()
      context.on('request', (request) => asked.push(new URL(request.url()).pathname))
    },
  })
  const requests = () => asked.filter((path) => path === '/api/nfts/market').length
  const returnAfter = async (seconds: number) => {
    await page.getByRole('link', { name: 'Contact' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Contact' }).waitFor()
    await page.clock.fastForward(seconds * 1_000)
    await page.goBack()
    await page.getByRole('article').first().waitFor()
    // Cached lists are requested again in the next frame.
    await page.clock.runFor(100)
  }
  await page.getByRole('article').first().waitFor()
  await stopClock(page)
  await returnAfter(170)
  await returnAfter(0)
  expect(requests()).toBe(1)
  await returnAfter(20)
  await expect.poll(requests).toBe(2)
})
