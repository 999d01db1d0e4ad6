import { desktop, phone } from '@nifty/testkit/browser'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { useBrowser } from '../web/use-browser.ts'
import { findings } from './findings.ts'
import { type Fixtures, prepareFixtures } from './fixtures.ts'
import { screensOf } from './screens.ts'

const { run, visit } = await useBrowser()
let fixtures: Fixtures

beforeAll(async () => {
  fixtures = await prepareFixtures(run)
})

test('no screen has an accessibility violation or a console error, on a phone and on a desktop', {
  timeout: 600_000,
}, async () => {
  const found: Record<string, string[]> = {}
  const checkScreens = async (viewport: typeof phone) => {
    const pages = new Map<string, Page>()
    for (const { name, path, as, unasked, expects, show } of screensOf(fixtures)) {
      // One context per user: what was loaded for one screen is cached for the next.
      const user = `${as?.username} ${unasked} ${expects}`
      const page =
        pages.get(user) ??
        (await visit('/robots.txt', { viewport, as, expects, consent: unasked ? undefined : 'necessary' }))
      pages.set(user, page)
      await page.goto(path)
      await page.locator('main h1').waitFor()
      await show?.(page)
      await page.waitForLoadState('networkidle')
      const problems = await findings(page)
      if (problems.length > 0) found[`${name} at ${viewport.width} px`] = problems
    }
  }
  await Promise.all([checkScreens(phone), checkScreens(desktop)])
  expect(found).toEqual({})
})
