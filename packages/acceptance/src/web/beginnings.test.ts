import { expect, test } from 'vitest'
import { desktop, phone } from '../browser.ts'
import { useStage } from './stage.ts'
import { aWorkForSale, itemPath } from './works.ts'

const { visit, visitor } = useStage()

test.each([phone, desktop])(
  'at $width px what a document asks for beforehand is what its page asks for',
  async (viewport) => {
    const item = itemPath(await aWorkForSale(visitor))
    const page = await visit('/error', { viewport })
    for (const path of ['/', '/explore-one', item]) {
      const asked: string[] = []
      page.on('request', (request) => asked.push(new URL(request.url()).pathname + new URL(request.url()).search))
      await page.goto(path)
      await page.locator('main .picture[data-state=there]').first().waitFor()
      await page.waitForLoadState('networkidle')
      page.removeAllListeners('request')

      const answers = await page
        .locator('link[rel=preload][as=fetch]')
        .evaluateAll((links) => links.map((link: any) => link.getAttribute('href') as string))
      expect(answers.length, path).toBeGreaterThan(0)
      for (const answer of answers)
        expect(
          asked.filter((each) => each === answer),
          path,
        ).toEqual([answer])
      const pictures = asked.filter((each) => each.startsWith('/uploads/nfts/'))
      expect(pictures.length, path).toBeGreaterThan(0)
      // One width of each: the picture that was asked for beforehand is the one that hangs.
      expect(new Set(pictures.map((each) => each.split('?')[0])).size, path).toBe(pictures.length)
    }
  },
)
