import { desktop, phone } from '@nifty/testkit/browser'
import { demoUser } from '@nifty/testkit/users'
import { availableWork, itemPath } from '@nifty/testkit/works'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useBrowser } from './use-browser.ts'

const { run, visit, visitor } = await useBrowser()

const loaded = (page: Page) => page.locator('main .picture[data-state=loaded]').first().waitFor()

test.each([
  ['desktop', desktop, 380],
  ['phone', phone, 300],
])('on a %s the first work of explore begins within %s', async (_name, viewport, limit) => {
  const page = await visit('/explore-one', { viewport })
  await loaded(page)
  const tops = await page
    .locator('main .picture')
    .evaluateAll((pictures: any[]) => pictures.map((each) => each.getBoundingClientRect().top))
  expect(Math.min(...tops)).toBeLessThanOrEqual(limit)
})

/** Works in the window at whose centre or corners something else lies. */
const covered = `[...document.querySelectorAll('main .item-card .picture')]
  .map((picture) => ({ picture, box: picture.getBoundingClientRect() }))
  .filter(({ box }) => box.top > 100 && box.bottom < innerHeight && box.left > 0 && box.right < innerWidth)
  .filter(({ picture, box: { left, right, top, bottom } }) =>
    [[(left + right) / 2, (top + bottom) / 2], [left + 9, top + 9], [right - 9, top + 9], [left + 9, bottom - 9], [right - 9, bottom - 9]]
      .some(([x, y]) => !document.elementFromPoint(x, y)?.closest('.item-card__art')?.contains(picture)))
  .map(({ picture }) => picture.querySelector('img').alt)`

test.each([
  ['with a mouse', { viewport: desktop }],
  ['on a phone', { viewport: phone, touch: true }],
])('nothing lies on a work %s: heart and Buy Now are in the caption', async (_how, options) => {
  const page = await visit('/', options)
  for (const path of ['/', '/explore-one?items=true']) {
    await page.goto(path)
    await page
      .getByRole('button', { name: /^Favourite: / })
      .first()
      .waitFor()
    for (let top = 0; top < 2_400; top += 400) {
      await page.evaluate(`scrollTo(0, ${top})`)
      expect(await page.evaluate(covered), `${path} at ${top}`).toEqual([])
    }
  }
  const card = page.getByRole('article').first()
  await card.scrollIntoViewIfNeeded()
  if (!options.viewport || options.viewport === desktop) await card.hover()
  expect(await page.evaluate(covered)).toEqual([])
})

test('a work is as wide as its column in its own ratio, and captions of a row stand on one line', async () => {
  const page = await visit('/explore-one')
  await loaded(page)
  const cards = await page.getByRole('article').evaluateAll((articles: any[]) =>
    articles.map((article) => {
      const box = (of: string) => article.querySelector(of).getBoundingClientRect()
      const sizeOf = (side: string) => Number(article.querySelector('img').getAttribute(side))
      return {
        column: article.getBoundingClientRect(),
        work: box('.picture'),
        caption: box('.item-card__caption').top,
        ratio: sizeOf('width') / sizeOf('height'),
      }
    }),
  )
  for (const { column, work, ratio } of cards.slice(0, 3)) {
    if (ratio > 0.66 && ratio < 2.4) expect(Math.abs(work.width - column.width)).toBeLessThan(1.5)
    expect(work.width / work.height).toBeCloseTo(ratio, 1)
  }
  expect(new Set(cards.slice(0, 3).map(({ caption }) => Math.round(caption))).size).toBe(1)
})

test('the panel beside a work ends above the details, wherever the page is scrolled to', async () => {
  // So low a window that the panel is higher than the work.
  const page = await visit(itemPath(await availableWork(visitor)), {
    as: await demoUser(run, 'collector'),
    viewport: { width: 1440, height: 480 },
  })
  await page.getByRole('heading', { level: 2, name: 'Details', exact: true }).waitFor()
  const edges = `['.item-art', '.panel', '.item-page__details'].map((part) => document.querySelector(part).getBoundingClientRect())`
  const distances = []
  for (let top = 0; top < 1_600; top += 200) {
    await page.evaluate(`scrollTo(0, ${top})`)
    const [art, panel, details] = await page.evaluate<{ top: number; bottom: number; height: number }[]>(edges)
    if (top === 0) expect(panel!.height).toBeGreaterThan(art!.height)
    distances.push(details!.top - panel!.bottom)
  }
  expect(Math.min(...distances)).toBeGreaterThan(0)
})

test('pages are chosen by number, and the number keeps the focus', async () => {
  const page = await visit('/explore-one')
  await page.getByRole('article').first().waitFor()
  const pagination = page.getByRole('navigation', { name: 'Pages of NFTs' })
  await pagination.getByRole('button', { name: 'Page 4', exact: true }).click()
  await page.waitForURL('**/explore-one?page=4')
  const current = pagination.locator('[aria-current=page]')
  await expect.poll(() => current.textContent()).toBe('4')
  expect(await current.evaluate((button) => button.matches(':focus'))).toBe(true)
})

test.each([
  [820, 2],
  [1440, 3],
  [1920, 4],
])('at %i px explore has %i columns beside or below its filters', async (width, columns) => {
  const page = await visit('/explore-one', { viewport: { width, height: 1_000 } })
  await page.getByRole('article').first().waitFor()
  const lefts = await page
    .getByRole('article')
    .evaluateAll((articles: any[]) => articles.map((article) => Math.round(article.getBoundingClientRect().left)))
  expect(new Set(lefts).size).toBe(columns)
})

test.each([
  [phone, false],
  [desktop, false],
  [{ width: 1_920, height: 1_080 }, true],
])(
  'at $width px the cookie button is whole, in the margin, and has its words where there is room',
  async (viewport, hasWords) => {
    const page = await visit('/terms', { viewport })
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByRole('contentinfo').getByText('©').waitFor()
    const button = page.getByRole('button', { name: 'Cookie Preferences' })
    const isShown = () => button.getByText('Cookie Preferences').isVisible()
    const box = (await button.boundingBox())!
    expect(box.x).toBeGreaterThanOrEqual(0)
    expect(await isShown()).toBe(hasWords)
    await page.evaluate('scrollTo(0, document.body.scrollHeight)')
    await expect.poll(isShown).toBe(true)
    await page.evaluate('scrollTo(0, 0)')
    await expect.poll(isShown).toBe(hasWords)
    await button.focus()
    await page.keyboard.press('Shift')
    await expect.poll(isShown).toBe(true)
  },
)
