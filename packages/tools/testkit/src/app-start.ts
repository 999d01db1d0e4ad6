import type { Page } from 'playwright-core'

/** The app's layout, or a document that shows no works before the app does. */
const started = '#content, #root:not(:has(main)), body:not(:has(#root))'

/**
 * Makes `goto` and `reload` wait until the app has replaced what the document itself shows (`web/src/app/start.ts`).
 */
export function waitForApp(page: Page) {
  const goto = page.goto.bind(page)
  const reload = page.reload.bind(page)
  const untilStarted = () => page.locator(started).first().waitFor({ state: 'attached' })
  page.goto = async (...args) => {
    const response = await goto(...args)
    await untilStarted()
    return response
  }
  page.reload = async (...args) => {
    const response = await reload(...args)
    await untilStarted()
    return response
  }
}
