import { desktop, phone } from '@nifty/testkit/browser'
import { availableWork, itemPath } from '@nifty/testkit/works'
import { expect, test } from 'vitest'
import { useBrowser } from './use-browser.ts'

const { visit, visitor } = await useBrowser()

test.each([phone, desktop])('at $width px the page uses what its document preloads', async (viewport) => {
  for (const path of ['/', '/explore-one', itemPath(await availableWork(visitor))]) {
    // Each in a browser without a cache: Chrome uses any cached width of an image.
    const page = await visit('/error', { viewport })
    // The app starts after the page's `load` event.
    await page.waitForLoadState('networkidle')
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url().replace(/^\w+:\/\/[^/]+/, '')))
    await page.goto(path)
    await page.locator('main .picture[data-state=loaded]').first().waitFor()
    await page.waitForLoadState('networkidle')

    const answers = await page
      .locator('link[rel=preload][as=fetch]')
      .evaluateAll((links) => links.map((link: any) => link.getAttribute('href') as string))
    expect(answers.length, path).toBeGreaterThan(0)
    for (const answer of answers)
      expect(
        asked.filter((each) => each === answer),
        path,
      ).toEqual([answer])
    const pictures = [...new Set(asked.filter((each) => each.startsWith('/uploads/nfts/')))]
    expect(pictures.length, path).toBeGreaterThan(0)
    // One width of each: the preloaded image is the displayed one.
    expect(new Set(pictures.map((each) => each.split('?')[0])).size, path).toBe(pictures.length)
  }
})
