import type { RunFile } from '@nifty/testkit/run-file'
import type { Page } from 'playwright-core'

/** Pays on the processor's page, from which the browser comes back to the thanks page, or to the work of an offer. */
export async function payByCard(page: Page, { cards }: RunFile, back = '**/purchase-thanks**') {
  await page.waitForURL('**/pay/**')
  await page.getByLabel('Card number').fill(cards.approved)
  await page.getByLabel('Expiry').fill('12 / 34')
  await page.getByLabel('CVC').fill('123')
  await page.getByLabel('Name on card').fill('A Collector')
  await page.getByRole('button', { name: /^Pay / }).press('Enter')
  await page.waitForURL(back)
}
