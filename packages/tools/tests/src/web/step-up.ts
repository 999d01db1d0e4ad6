import type { Page } from 'playwright-core'

/** Enters the password in the step-up dialog, by keyboard. */
export async function stepUpOn(page: Page, password: string) {
  const dialog = page.getByRole('dialog', { name: 'Is it you?' })
  await dialog.getByLabel('Password').press('Control+a')
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
}
