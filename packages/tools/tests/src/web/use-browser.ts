import { createApiClient } from '@nifty/testkit/api-client'
import { openBrowser } from '@nifty/testkit/browser'
import { type ContextOptions, openContext } from '@nifty/testkit/browser-context'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { sharedStore } from '../shared-store/shared-store.ts'

/** A browser for the tests of a file. After each test its pages are closed; console errors of any of them fail it. */
export async function useBrowser() {
  const { run, thirdParties } = await sharedStore()
  let browser: Browser
  let visits: { context: BrowserContext; consoleErrors: string[] }[] = []

  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())
  afterEach(async () => {
    const ended = visits
    visits = []
    for (const { context } of ended) await context.close()
    expect(ended.flatMap(({ consoleErrors }) => consoleErrors)).toEqual([])
  })

  return {
    run,
    thirdParties,
    visitor: createApiClient(run),
    /** Opens a page, by default with a stored cookie consent (`necessary`). */
    visit: async (path: string, options: ContextOptions = {}): Promise<Page> => {
      const visit = await openContext(browser, run, options)
      visits.push(visit)
      await visit.page.goto(path)
      return visit.page
    },
  }
}

/** Stops the page's clock, which `context.clock.install()` replaced: its timers run only as the test moves it on. */
export const stopClock = async (page: Page) => page.clock.pauseAt(Number(await page.evaluate('Date.now()')) + 1_000)
