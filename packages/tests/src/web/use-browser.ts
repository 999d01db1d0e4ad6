import { openBrowser } from '@nifty/testkit/browser'
import { enter, type Visit } from '@nifty/testkit/visit'
import { createVisitor } from '@nifty/testkit/visitor'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { sharedStore } from './shared-store.ts'

/** A browser for the tests of a file. After each test its pages are closed, and none of them may have complained. */
export async function useBrowser() {
  const run = await sharedStore()
  let browser: Browser
  let visits: { context: BrowserContext; complaints: string[] }[] = []

  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())
  afterEach(async () => {
    const ended = visits
    visits = []
    for (const { context } of ended) await context.close()
    expect(ended.flatMap(({ complaints }) => complaints)).toEqual([])
  })

  return {
    run,
    visitor: createVisitor(run),
    /** Opens a page as somebody who has answered the cookie banner, unless told otherwise. */
    visit: async (path: string, wishes: Visit = {}): Promise<Page> => {
      const visit = await enter(browser, run, wishes)
      visits.push(visit)
      await visit.page.goto(path)
      return visit.page
    },
  }
}
