import { phone } from '@nifty/testkit/browser'
import { availableWork, itemPath } from '@nifty/testkit/works'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findings } from '../screens/findings.ts'
import { useBrowser } from './use-browser.ts'

const { visit, visitor } = await useBrowser()

/** Square works: how far one can be moved depends on its shape. */
async function openViewer(options: Parameters<typeof visit>[1] = {}) {
  const work = await availableWork(visitor, ({ width, height }) => width !== null && width === height)
  const page = await visit(itemPath(work), options)
  await page.getByRole('dialog', { name: 'Please Connect' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'View full screen' }).press('Enter')
  const viewer = page.getByRole('dialog', { name: `${work.name}, full screen` })
  await viewer.waitFor()
  return { page, viewer, image: viewer.getByRole('img', { name: work.name }) }
}

const zoomOf = (page: Page) =>
  expect.poll(async () => Number(/(\d+) %/.exec((await page.locator('.item-viewer__scale').textContent()) ?? '')?.[1]))
const leftOf = async (page: Page) => (await page.locator('.item-viewer__canvas').boundingBox())!.x

test('a work is seen on the whole screen, and zoomed and moved by keyboard', async () => {
  const { page, viewer, image } = await openViewer()
  const size = page.viewportSize()!
  expect(await viewer.boundingBox()).toMatchObject({ x: 0, y: 0, ...size })
  expect(await image.getAttribute('src')).toMatch(/\?w=2400$/)
  expect(await findings(page)).toEqual([])

  await page.keyboard.press('+')
  await page.keyboard.press('+')
  await zoomOf(page).toBe(225)
  const before = await leftOf(page)
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => leftOf(page)).toBeCloseTo(before - 80, 0)
  await page.keyboard.press('-')
  await zoomOf(page).toBe(150)
  await page.keyboard.press('0')
  await zoomOf(page).toBe(100)
  await viewer.getByRole('button', { name: 'Zoom in' }).press('Enter')
  await zoomOf(page).toBe(150)

  await page.keyboard.press('Escape')
  await viewer.waitFor({ state: 'hidden' })
  await expect.poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('View full screen')
})

test('the wheel zooms where the pointer is, and dragging moves the work', async () => {
  const { page, viewer } = await openViewer()
  await page.mouse.move(200, 200)
  await page.mouse.wheel(0, -500)
  await zoomOf(page).toBeGreaterThan(200)
  const before = await leftOf(page)
  await page.mouse.down()
  await page.mouse.move(140, 200)
  await page.mouse.up()
  await expect.poll(() => leftOf(page)).toBeCloseTo(before - 60, 0)
  await viewer.getByRole('button', { name: 'Close' }).click()
  await viewer.waitFor({ state: 'hidden' })
})

test('two fingers zoom on a phone', async () => {
  const { page } = await openViewer({ viewport: phone, touch: true })
  const touches = await page.context().newCDPSession(page)
  const fingers = (apart: number) => [
    { x: 195 - apart, y: 400, id: 1 },
    { x: 195 + apart, y: 400, id: 2 },
  ]
  await touches.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: fingers(40) })
  for (const apart of [60, 80, 120])
    await touches.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: fingers(apart) })
  await touches.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await zoomOf(page).toBeGreaterThan(200)
})

test('an enlarged work cannot be moved out of sight', async () => {
  const { page, image } = await openViewer({ viewport: phone, touch: true })
  for (let press = 0; press < 6; press++) await page.keyboard.press('+')
  await zoomOf(page).toBe(800)
  for (let press = 0; press < 50; press++) await page.keyboard.press('ArrowUp')
  const { width, height } = page.viewportSize()!
  const artwork = (await image.boundingBox())!
  // The image element fills the stage: the work is a square in its middle.
  await expect.poll(async () => (await image.boundingBox())!.y + (artwork.height - artwork.width) / 2).toBeCloseTo(0, 0)
  expect(artwork.width / width).toBeCloseTo(8, 1)
  expect(artwork.height / height).toBeCloseTo(8, 1)
})

test('an enlarged work keeps filling the screen when the phone is turned', async () => {
  const { page } = await openViewer({ viewport: phone, touch: true })
  for (let press = 0; press < 6; press++) await page.keyboard.press('+')
  await zoomOf(page).toBe(800)
  for (let press = 0; press < 50; press++) await page.keyboard.press('ArrowRight')
  const edge = async () => {
    const { x, width, height } = (await page.locator('.item-viewer__canvas').boundingBox())!
    // The canvas has the shape of the screen: the work is a square in its middle.
    return x + width / 2 + Math.min(width, height) / 2
  }
  await expect.poll(edge).toBeCloseTo(phone.width, 0)
  await page.setViewportSize({ width: phone.height, height: phone.width })
  await expect.poll(edge).toBeCloseTo(phone.height, 0)
})
