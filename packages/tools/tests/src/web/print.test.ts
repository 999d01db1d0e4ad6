import { startPurchase } from '@nifty/api/payments/public'
import { pay, untilOrder } from '@nifty/testkit/api-client'
import { phone } from '@nifty/testkit/browser'
import { apiClientOf, demoUser } from '@nifty/testkit/users'
import { asPrinted, availableWork, itemPath } from '@nifty/testkit/works'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useBrowser } from './use-browser.ts'

const { run, visit, visitor } = await useBrowser()

/** Of A4, and of Letter. */
async function expectOneSheet(page: Page) {
  for (const format of ['A4', 'Letter']) {
    const sheets = (await page.pdf({ format, preferCSSPageSize: true })).toString('latin1').match(/\/Type \/Page\b/g)
    expect(sheets, format).toHaveLength(1)
  }
}

test('the page of an order of three works is printed on one sheet', async () => {
  const collector = await demoUser(run, 'collector', 1)
  const buyer = apiClientOf(run, collector)
  await availableWork(visitor)
  const works = (await visitor.market()).filter(({ forSale, reserved }) => forSale && !reserved).slice(-3)
  const amount = works.reduce((sum, { price }) => sum + Math.round(price! * 100), 0) / 100
  const items = works.map(({ _id, price }) => ({ _id, price }))
  const { body } = await buyer.send(startPurchase, { body: { amount, items, deliverTo: 'custody' } })
  await pay(run, body.url, run.cards.approved)
  await untilOrder(buyer, body.orderId, 'completed')
  const page = await visit(`/orders/${body.orderId}`, { as: collector })
  for (const { name } of works) await page.getByRole('heading', { level: 2, name }).waitFor()
  await page.waitForLoadState('networkidle')
  await expectOneSheet(page)
  await page.emulateMedia({ media: 'print' })
  for (const fact of [works[0]!.name, 'Terms accepted', 'Only now was your card charged.', asPrinted(amount)])
    expect(await page.getByText(fact).first().isVisible(), fact).toBe(true)
})

test('receipt and certificate are printed without the site’s navigation and colours', async () => {
  const collector = await demoUser(run, 'collector', 1)
  const buyer = apiClientOf(run, collector)
  const work = await availableWork(visitor)
  const { body } = await buyer.buy(work)
  await pay(run, body.url, run.cards.approved)
  const { total } = await untilOrder(buyer, body.orderId, 'completed')

  const page = await visit('/contact', { as: collector })
  await page.emulateMedia({ media: 'print' })
  // Other pages keep navigation and footer.
  await page.getByRole('contentinfo').waitFor()
  for (const [paper, text] of [
    ['receipt', asPrinted(total)],
    ['certificate', work.contract],
  ] as const) {
    await page.goto(`/orders/${body.orderId}/${paper}`)
    await page.locator('.print-sheet').getByText(text).first().waitFor()
    for (const around of [page.getByRole('banner'), page.getByRole('contentinfo'), page.getByText('Print')])
      expect(await around.first().isVisible(), `${paper}: ${around}`).toBe(false)
    const colours = await page.locator('.print-sheet').evaluate((sheet: any) => {
      const { color, backgroundColor } = sheet.ownerDocument.defaultView.getComputedStyle(sheet)
      return [color, backgroundColor]
    })
    expect(colours, paper).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)'])
  }
})

test('printed, neither the skip link nor the buy bar lies on the sheets', async () => {
  const work = await availableWork(visitor)
  const page = await visit(itemPath(work), { as: await demoUser(run, 'collector', 1), viewport: phone })
  await page.getByRole('button', { name: 'Buy Now' }).waitFor()
  await page.emulateMedia({ media: 'print' })
  const positions = () =>
    page.evaluate(`[...document.querySelectorAll('body *')]
      .filter((element) => getComputedStyle(element).position === 'fixed' && element.checkVisibility() && element.offsetHeight > 0)
      .map((element) => element.className)`)
  await expect.poll(positions).toEqual([])
})

test.each([
  ['square', 1000],
  ['upright', 1400],
  ['long', 4000],
  ['flat', 250],
])('the certificate of a work that is %s is one sheet of A4, and of Letter', async (_shape, height) => {
  const collector = await demoUser(run, 'collector', 1)
  const buyer = apiClientOf(run, collector)
  const { body } = await buyer.buy(await availableWork(visitor))
  await pay(run, body.url, run.cards.approved)
  await untilOrder(buyer, body.orderId, 'completed')
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="${height}"><rect width="100%" height="100%"/></svg>`
  const page = await visit(`/orders/${body.orderId}/certificate`, {
    as: collector,
    prepare: (context) =>
      context.route('**/uploads/nfts/**', (route) => route.fulfill({ contentType: 'image/svg+xml', body: picture })),
  })
  await page.getByRole('button', { name: 'Add a link and QR code' }).click()
  await page.getByRole('img', { name: /^QR code/ }).waitFor()
  await page.waitForLoadState('networkidle')
  await expectOneSheet(page)
})
