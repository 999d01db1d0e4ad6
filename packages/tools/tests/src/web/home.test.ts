import { desktop, phone } from '@nifty/testkit/browser'
import type { ContextOptions } from '@nifty/testkit/browser-context'
import { asPrinted } from '@nifty/testkit/works'
import { expect, test, vi } from 'vitest'
import { stopClock, useBrowser } from './use-browser.ts'

const { visit, visitor } = await useBrowser()

/** The first of the carousel's visible slides; those beside it are moved. */
const leftSlide = 'li[style*="translateX(0%)"] h3'

test.each([desktop, phone])('home shows all that it promises at $width px', async (viewport) => {
  const page = await visit('/', { viewport })
  await page.getByRole('heading', { level: 1, name: 'Explore Our collection of Rare NFT Artworks' }).waitFor()
  for (const title of ['Top Items', 'Discover Items', 'Best Creators', 'Q&A', 'Have Question ? Get in touch!'])
    await page.getByRole('heading', { level: 2, name: title }).waitFor()
  const discover = page.getByRole('region', { name: 'Discover Items' })
  await discover.getByRole('article').first().waitFor()
  // The list is made in slices: the first card may stand alone for a moment.
  await expect.poll(() => discover.getByRole('article').count()).toBe(8)
  // Other tests change which works are the newest; the prices have to match the API.
  const works = await visitor.market()
  for (const card of await discover.getByRole('article').all()) {
    const address = await card.getByRole('heading').getByRole('link').getAttribute('href')
    const work = works.find(({ contract, identifier }) => address!.endsWith(`/${contract}/${identifier}`))!
    expect(await card.textContent()).toContain(work.forSale ? asPrinted(work.price!) : 'Not for sale')
  }
  await page.getByRole('link', { name: 'Explore More' }).click()
  await page.getByRole('heading', { level: 1, name: 'Explore Items' }).waitFor()
})

test.each([desktop, phone])(
  'at $width px home has its heading before the script has run, at the same place',
  async (viewport) => {
    const placeOf = async (options: ContextOptions) => {
      const page = await visit('/', { viewport, ...options })
      const title = page.getByRole('heading', { level: 1, name: 'Explore Our collection of Rare NFT Artworks' })
      await title.waitFor()
      await page.evaluate('document.fonts.ready')
      // Null when the script replaces the document's heading by its own between finding it and measuring it.
      return vi.waitUntil(() => title.boundingBox())
    }
    const emptyScripts: ContextOptions['prepare'] = (context) =>
      context.route('**/*.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }))
    expect(await placeOf({ prepare: emptyScripts, withoutApp: true })).toEqual(await placeOf({}))
  },
)

test('the featured works of the demo stand beside the first heading, in their order', async () => {
  const { nfts } = (await visitor.call('GET', '/api/nfts/featured')).body
  const page = await visit('/')
  const hero = page.locator('.hero-items a')
  await expect.poll(() => hero.count()).toBe(3)
  expect(await page.locator('.hero-items__name').allTextContents()).toEqual(
    nfts.slice(0, 3).map(({ name }: { name: string }) => name),
  )
  // A caption has the price, and the artist: here the owner's name.
  const [first] = nfts
  expect(await hero.first().textContent()).toContain(`${first.ownerFirstName} ${first.ownerLastName}`)
  expect(await hero.first().textContent()).toContain(asPrinted(first.price))
})

test('home has a manifest, icons and an image for previews', async () => {
  const page = await visit('/')
  const addresses = await page
    .locator('link[rel=icon], link[rel=apple-touch-icon], link[rel=manifest]')
    .evaluateAll((links) => links.map((link) => (link as unknown as { href: string }).href))
  expect(addresses).toHaveLength(4)
  const manifest = await page.request.get(addresses.find((address) => address.endsWith('.webmanifest'))!)
  const { icons }: { icons: { src: string }[] } = await manifest.json()
  const image = (await page.locator('meta[property="og:image"]').getAttribute('content'))!
  for (const address of [...addresses, ...icons.map(({ src }) => new URL(src, page.url()).href), image]) {
    const response = await page.request.get(address)
    expect(response.status(), address).toBe(200)
    expect(response.headers()['content-type'], address).toMatch(/^(image\/|application\/manifest)/)
  }
})

test.each([
  [1440, 4],
  [1000, 3],
  [800, 2],
  [390, 1],
])('at %i px the carousel shows %i works, and loops in both directions', async (width, shown) => {
  const page = await visit('/', { viewport: { width, height: 900 } })
  const carousel = page.getByRole('region', { name: 'Works of the best-selling creators' })
  await expect.poll(() => carousel.locator('li:not([inert]) h3').count()).toBe(shown)
  const names = await carousel.locator('li h3').allTextContents()
  const leftmost = carousel.locator(leftSlide)
  const press = (name: string) => carousel.getByRole('button', { name }).click()
  expect(await leftmost.textContent()).toBe(names[0])
  await press('Previous')
  await expect.poll(() => leftmost.textContent()).toBe(names.at(-1))
  await press('Next')
  await expect.poll(() => leftmost.textContent()).toBe(names[0])
  await press('Next')
  await expect.poll(() => leftmost.textContent()).toBe(names[1])
})

test('the carousel goes on by itself until it is stopped', async () => {
  const page = await visit('/', { calm: false, prepare: (context) => context.clock.install() })
  const carousel = page.getByRole('region', { name: 'Works of the best-selling creators' })
  const leftmost = () => carousel.locator(leftSlide).textContent()
  const leave = () => page.mouse.move(0, 0)
  await carousel.getByRole('button', { name: 'Pause' }).scrollIntoViewIfNeeded()
  await leave()
  await stopClock(page)
  const before = await leftmost()
  await page.clock.runFor(3_000)
  await expect.poll(leftmost).not.toBe(before)

  await carousel.getByRole('button', { name: 'Pause' }).click()
  const stopped = await leftmost()
  await leave()
  await page.evaluate('document.activeElement.blur()')
  await page.clock.runFor(30_000)
  expect(await leftmost()).toBe(stopped)

  await carousel.getByRole('button', { name: 'Play' }).click()
  await leave()
  await page.evaluate('document.activeElement.blur()')
  await page.clock.runFor(3_000)
  await expect.poll(leftmost).not.toBe(stopped)
})

test('the carousel does not move outside the window', async () => {
  const page = await visit('/', { viewport: phone, calm: false, prepare: (context) => context.clock.install() })
  const carousel = page.getByRole('region', { name: 'Works of the best-selling creators' })
  const leftmost = () => carousel.locator(leftSlide).textContent()
  await carousel.getByRole('button', { name: 'Pause' }).waitFor()
  await page.getByRole('region', { name: 'Best Creators' }).scrollIntoViewIfNeeded()
  await stopClock(page)
  const before = await leftmost()
  await page.clock.runFor(30_000)
  expect(await leftmost()).toBe(before)
})

test('images load when they are at most the height of the window away', async () => {
  const page = await visit('/', { viewport: phone })
  const portraits = page.getByRole('region', { name: 'Best Creators' }).locator('.avatar')
  await expect.poll(() => portraits.count()).toBe(8)
  await page.locator('.hero-items img').last().waitFor()
  // Portraits that a card further up has loaded already are shown at once.
  const sources = (of: string) =>
    page.locator(`${of} .avatar img[src]`).evaluateAll((images) => images.map((image) => image.getAttribute('src')))
  const shown = await sources('.item-card')
  expect((await sources('.best-creators')).filter((source) => !shown.includes(source))).toEqual([])
  await portraits.first().scrollIntoViewIfNeeded()
  await expect.poll(() => portraits.locator('img[src]').count()).toBeGreaterThan(0)
})

test('with reduced motion nothing moves', async () => {
  const page = await visit('/')
  const carousel = page.getByRole('region', { name: 'Works of the best-selling creators' })
  await carousel.getByRole('button', { name: 'Next' }).waitFor()
  expect(await carousel.getByRole('button', { name: 'Pause' }).count()).toBe(0)
})

test('one of the four questions is open at a time, and a click on it closes it', async () => {
  const page = await visit('/')
  const answers = page.getByRole('region', { name: 'Q&A' }).locator('[aria-expanded=true]')
  const questions = page.getByRole('region', { name: 'Q&A' }).getByRole('button')
  await expect.poll(() => questions.count()).toBe(4)
  await questions.nth(0).click()
  await page.getByText('A non-fungible token is').waitFor()
  await questions.nth(1).click()
  await page.getByText('No cryptocurrency is needed').waitFor()
  expect(await answers.count()).toBe(1)
  await questions.nth(1).click()
  expect(await answers.count()).toBe(0)
})

test('a question links to the contact page, and See More to explore', async () => {
  const page = await visit('/index')
  await page.getByRole('link', { name: 'See More' }).click()
  await page.getByRole('heading', { level: 1, name: 'Explore Items' }).waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'Contact us' }).click()
  await page.getByRole('heading', { level: 1, name: 'Contact' }).waitFor()
})
