import { pay, untilOrder } from '@nifty/testkit/api-client'
import { apiClientOf, demoUser } from '@nifty/testkit/users'
import { asPrinted, availableWork } from '@nifty/testkit/works'
import { expect, test } from 'vitest'
import { useBrowser } from './use-browser.ts'

const { run, visit, visitor } = await useBrowser()

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
