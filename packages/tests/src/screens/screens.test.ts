import { AxeBuilder } from '@axe-core/playwright'
import { desktop, phone } from '@nifty/testkit/browser'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { useBrowser } from '../web/use-browser.ts'
import { type Fixtures, prepareFixtures } from './fixtures.ts'
import { screensOf } from './screens.ts'

const { run, visit } = await useBrowser()
let fixtures: Fixtures

beforeAll(async () => {
  fixtures = await prepareFixtures(run)
})

/** What axe has against a page, as "rule: the element". */
async function findings(page: Page) {
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
}

test('axe finds nothing on any screen of a phone or a desktop, and none of them complains', {
  timeout: 300_000,
}, async () => {
  const found: Record<string, string[]> = {}
  const lookAround = async (viewport: typeof phone) => {
    const pages = new Map<string, Page>()
    for (const { name, path, as, unasked, expects, show } of screensOf(fixtures)) {
      // One browser for each reader: what was loaded for one screen is there for the next.
      const reader = `${as?.username} ${unasked} ${expects}`
      const page =
        pages.get(reader) ??
        (await visit('/robots.txt', { viewport, as, expects, consent: unasked ? undefined : 'necessary' }))
      pages.set(reader, page)
      await page.goto(path)
      await page.locator('main h1').waitFor()
      await show?.(page)
      await page.waitForLoadState('networkidle')
      const problems = await findings(page)
      if (problems.length > 0) found[`${name} at ${viewport.width} px`] = problems
    }
  }
  await Promise.all([lookAround(phone), lookAround(desktop)])
  expect(found).toEqual({})
})
