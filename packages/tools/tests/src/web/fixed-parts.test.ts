import { phone } from '@nifty/testkit/browser'
import { createUser, demoUser } from '@nifty/testkit/users'
import { availableWork, itemPath } from '@nifty/testkit/works'
import { expect, test } from 'vitest'
import { useBrowser } from './use-browser.ts'

const { run, visit, visitor } = await useBrowser()

/** Prices, names and buttons that the cookie tab or the back-to-top button lies over. */
const covered = `(() => {
  const floating = [...document.querySelectorAll('.back-to-top, .cookie-button')].map((each) => each.getBoundingClientRect())
  // Text by its own boxes: the element may be wider than its words.
  const boxesOf = (element) => {
    const range = document.createRange()
    range.selectNodeContents(element)
    return element.matches('button, input, .button') ? [element.getBoundingClientRect()] : [...range.getClientRects()]
  }
  const bar = document.querySelector('header').getBoundingClientRect().bottom
  return [...document.querySelectorAll('main :is(h1, h2, h3, p, button, label, dt, dd)')]
    .filter((element) => element.checkVisibility() && !element.closest('.visually-hidden, .carousel'))
    .filter((element) =>
      boxesOf(element).some((box) =>
        floating.some(
          (over) =>
            box.width > 0 &&
            box.bottom > bar &&
            over.left < box.right - 1 && over.right > box.left + 1 && over.top < box.bottom && over.bottom > Math.max(box.top, bar),
        ),
      ),
    )
    .map((element) => element.textContent)
})()`

const windows = [
  { width: 390, height: 844 },
  { width: 820, height: 1180 },
  { width: 1440, height: 900 },
]

test.each(windows)('at $width px nothing floats over prices, labels and buttons', async (viewport) => {
  const as = await demoUser(run, 'collector', 1)
  const work = itemPath(await availableWork(visitor))
  const page = await visit('/', { as, viewport })
  for (const path of ['/', '/explore-one', work, '/orders']) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    const end = Number(await page.evaluate('document.documentElement.scrollHeight - innerHeight'))
    for (let top = 0; top <= Math.min(end, 4_000); top += 170) {
      await page.evaluate(`scrollTo(0, ${top})`)
      expect(await page.evaluate(covered), `${path} at ${top}`).toEqual([])
    }
  }
})

test('on a phone the reason why a purchase is refused is above the bar with the button', async () => {
  const as = await demoUser(run, 'collector', 1)
  const page = await visit(itemPath(await availableWork(visitor)), { as, viewport: phone, expects: [429] })
  const body = { success: false, code: 'too_many_requests', message: 'Too many requests, please try again later.' }
  await page.route('**/api/nfts/test', (route) => route.fulfill({ status: 429, json: body }))
  await page.getByRole('checkbox', { name: /I declare/ }).check()
  await page.getByRole('button', { name: 'Buy Now' }).click()
  const notice = page.getByRole('status').filter({ hasText: 'Too many requests' })
  await notice.waitFor()
  const bottom = async (of: typeof notice) => (await of.boundingBox())!.y + (await of.boundingBox())!.height
  const barTop = (await page.locator('.buy').boundingBox())!.y
  await expect.poll(() => bottom(notice)).toBeLessThanOrEqual(barTop)
})

test('on a phone in landscape fixed bars take at most a fifth of the screen', async () => {
  const as = await demoUser(run, 'collector', 1)
  const page = await visit(itemPath(await availableWork(visitor)), { as, viewport: { width: 844, height: 390 } })
  await page.getByRole('button', { name: 'Buy Now' }).waitFor()
  await page.evaluate('scrollTo(0, 300)')
  const bars = `[...document.querySelectorAll('body *')]
    .filter((element) => ['fixed', 'sticky'].includes(getComputedStyle(element).position) && element.checkVisibility())
    .map((element) => element.getBoundingClientRect())
    .filter(({ width, top, bottom }) => width > innerWidth / 2 && bottom > 0 && top < innerHeight)
    .reduce((sum, { top, bottom }) => sum + Math.min(bottom, innerHeight) - Math.max(top, 0), 0)`
  expect(Number(await page.evaluate(bars))).toBeLessThanOrEqual(390 / 5)
  for (const path of ['/', '/explore-one']) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.evaluate('scrollTo(0, 300)')
    expect(Number(await page.evaluate(bars)), path).toBeLessThanOrEqual(390 / 5)
  }
})

test('in a window zoomed to 400 % the buy bar is in the page', async () => {
  const as = await demoUser(run, 'collector', 1)
  const page = await visit(itemPath(await availableWork(visitor)), { as, viewport: { width: 320, height: 256 } })
  const buy = page.getByRole('button', { name: 'Buy Now' })
  // The app has taken the place of the document's button.
  await page.waitForLoadState('networkidle')
  await buy.scrollIntoViewIfNeeded()
  expect(
    await page.locator('.buy').evaluate((bar: any) => bar.ownerDocument.defaultView.getComputedStyle(bar).position),
  ).toBe('static')
  const [text, button] = [await page.locator('.buy .checkbox').boundingBox(), await buy.boundingBox()]
  expect(text!.y + text!.height).toBeLessThanOrEqual(button!.y)
})

test('on a phone works hang in two columns', async () => {
  const page = await visit('/explore-one', { viewport: phone, touch: true })
  const boxes = await Promise.all([0, 1, 2].map((place) => page.getByRole('article').nth(place).boundingBox()))
  const [first, second, third] = boxes.map((box) => box!)
  expect(second!.y).toBe(first!.y)
  expect(second!.x).toBeGreaterThan(first!.x)
  expect(third!.y).toBeGreaterThan(first!.y)
})

test('on a phone in landscape the buttons that end a dialog are within the screen', async () => {
  const viewport = { width: 844, height: 390 }
  const sheet = await visit('/explore-one?color=teal', { viewport })
  await sheet.getByRole('button', { name: 'Sort and filter' }).click()
  const cookies = await visit('/', { viewport, consent: undefined })
  await cookies.getByRole('button', { name: 'Customize' }).click()
  const item = await visit(itemPath(await availableWork(visitor)), { viewport, as: await createUser(run) })
  for (const [page, name] of [
    [sheet, 'Show works'],
    [cookies, 'Save preferences'],
    [item, 'Keep it here for me'],
    [item, 'Just looking'],
  ] as const) {
    const { y, height } = (await page.getByRole('dialog').getByRole('button', { name }).boundingBox())!
    expect(y + height, name).toBeLessThanOrEqual(viewport.height)
  }
})
