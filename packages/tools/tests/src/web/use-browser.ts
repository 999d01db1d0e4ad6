import { createApiClient } from '@nifty/testkit/api-client'
import { openBrowser } from '@nifty/testkit/browser'
import { type ContextOptions, openContext } from '@nifty/testkit/browser-context'
import type { RunFile } from '@nifty/testkit/run-file'
import { startStore } from '@nifty/testkit/store'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { sharedStore } from '../shared-store/shared-store.ts'

/** A browser for the tests of a file, on the store that test files share. */
export async function useBrowser() {
  const { run, thirdParties } = await sharedStore()
  return { thirdParties, ...useBrowserOn(run) }
}

/** As `useBrowser`, on a store of the file's own, which is removed afterwards. */
export async function useBrowserWithStore(options: Parameters<typeof startStore>[0]) {
  const store = await startStore(options)
  afterAll(() => store.remove())
  return useBrowserOn(store.run)
}

/** After each test its pages are closed; console errors of any of them fail it. */
function useBrowserOn(run: RunFile) {
  let browser: Browser
  let visits: { context: BrowserContext; consoleErrors: string[] }[] = []

  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())
  afterEach(async () => {
    const ended = visits
    visits = []
    for (const { context } of ended) {
      // The handler of a request that is under way would fail when its page is closed.
      for (const routed of [context, ...context.pages()]) await routed.unrouteAll({ behavior: 'ignoreErrors' })
      await context.close()
    }
    expect(ended.flatMap(({ consoleErrors }) => consoleErrors)).toEqual([])
  })

  return {
    run,
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
