import type { RunFile } from '@nifty/testkit/run-file'
import type { Page } from 'playwright-core'

/** Tries a card on the processor's page that the bank declines. */
export async function declineCard(page: Page, { cards }: RunFile) {
  await enterCard(page, cards.declined)
  await page.getByText('Your card was declined.').waitFor()
}

/** Pays on the processor's page, from which the browser comes back to the thanks page, or to the work of an offer. */
export async function payByCard(page: Page, { cards }: RunFile, back = '**/purchase-thanks**') {
  await enterCard(page, cards.approved)
  await page.waitForURL(back)
}

/** A published test card whose bank asks its holder to confirm each payment. */
const ASKING_CARD = '4000002500003155'

/** As `payByCard`, with a card whose bank has its holder confirm the payment first, by keyboard. */
export async function payByAskingCard(page: Page, back: string) {
  await enterCard(page, ASKING_CARD)
  await page.getByRole('heading', { name: 'Is it you?' }).waitFor()
  await page.getByRole('button', { name: 'Complete' }).press('Enter')
  await page.waitForURL(back)
}

async function enterCard(page: Page, number: string) {
  await page.waitForURL('**/pay/**')
  await page.getByLabel('Card number').fill(number)
  await page.getByLabel('Expiry').fill('12 / 34')
  await page.getByLabel('CVC').fill('123')
  await page.getByLabel('Name on card').fill('A Collector')
  await page.getByRole('button', { name: /^Pay / }).press('Enter')
}
