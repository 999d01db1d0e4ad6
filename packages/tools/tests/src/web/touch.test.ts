import { phone } from '@nifty/testkit/browser'
import { expect, test } from 'vitest'
import { useBrowser } from './use-browser.ts'

const { visit } = await useBrowser()

test('on touch screens Buy Now is visible on every card that is for sale', async () => {
  const page = await visit('/explore-one?items=true', { viewport: phone, touch: true })
  const card = page.getByRole('article').first()
  const name = String(await card.getByRole('heading').textContent())
  const buy = card.getByRole('link', { name: `Buy Now: ${name}` })
  await buy.scrollIntoViewIfNeeded()
  expect(await buy.evaluate((link: any) => link.checkVisibility({ opacityProperty: true }))).toBe(true)
  expect((await buy.boundingBox())!.height).toBeGreaterThanOrEqual(44)
  await buy.tap()
  await page.getByRole('heading', { level: 1, name }).waitFor()
})
