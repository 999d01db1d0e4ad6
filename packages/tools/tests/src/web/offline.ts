import type { Page } from 'playwright-core'

/** The message of a page without a connection. */
export const offlineMessage = (page: Page) => page.getByRole('status').filter({ hasText: 'You are offline' })

export async function goOffline(page: Page) {
  await page.context().setOffline(true)
  await offlineMessage(page).waitFor()
}

export async function goOnline(page: Page) {
  await page.context().setOffline(false)
  await offlineMessage(page).waitFor({ state: 'hidden' })
}
