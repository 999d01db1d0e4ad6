import { phone } from '@nifty/testkit/browser'
import { demoUser } from '@nifty/testkit/users'
import { availableWork, itemPath } from '@nifty/testkit/works'
import { expect, test } from 'vitest'
import { useBrowser } from './use-browser.ts'

const { run, visit, visitor } = await useBrowser()

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

test('what stands alone on the page of a work is as large as a finger', async () => {
  const page = await visit(itemPath(await availableWork(visitor)), {
    as: await demoUser(run, 'collector'),
    viewport: phone,
    touch: true,
  })
  for (const control of [
    page.getByRole('button', { name: 'Buy it as a gift' }),
    page.getByRole('link', { name: 'From this collection' }),
    page.getByRole('button', { name: 'View full screen' }),
  ])
    expect((await control.boundingBox())!.height).toBeGreaterThanOrEqual(44)
})
