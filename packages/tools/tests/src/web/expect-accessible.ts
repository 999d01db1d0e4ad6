import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { findings } from '../screens/findings.ts'

/** Nothing that axe finds, and nothing wider than the screen. */
export async function expectAccessible(page: Page) {
  expect(await findings(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
}
