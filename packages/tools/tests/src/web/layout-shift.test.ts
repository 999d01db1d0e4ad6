import { desktop, phone } from '@nifty/testkit/browser'
import { demoUser } from '@nifty/testkit/users'
import { availableWork, itemPath } from '@nifty/testkit/works'
import { expect, test } from 'vitest'
import { useBrowser } from './use-browser.ts'

const { run, visit, visitor } = await useBrowser()

test.each([phone, desktop])('at $width px home, explore and an item load without layout shift', async (viewport) => {
  const item = itemPath(await availableWork(visitor))
  const page = await visit('/error', {
    as: await demoUser(run, 'collector'),
    viewport,
    prepare: (context) => context.addInitScript({ content: watchShifts }),
  })
  for (const path of ['/', '/explore-one', item]) {
    await page.goto(path)
    await page.locator('main .picture[data-state=loaded]').first().waitFor()
    await page.waitForLoadState('networkidle')
    expect(await page.evaluate('window.shifts'), path).toEqual([])
  }
})

const watchShifts = `
  window.shifts = []
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if (!entry.hadRecentInput) shifts.push([entry.value, ...entry.sources.map(({ node }) => node?.className)])
  }).observe({ type: 'layout-shift', buffered: true })
`
