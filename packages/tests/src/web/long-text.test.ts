import { buyersOf, purchase } from '@nifty/testkit/purchase'
import { demoUser } from '@nifty/testkit/users'
import { availableWork, itemPath } from '@nifty/testkit/works'
import { beforeAll, expect, test } from 'vitest'
import { withLongTexts } from '../screens/long-texts.ts'
import { useBrowser } from './use-browser.ts'

const { run, visit, visitor } = await useBrowser()

const byCreator = async () => {
  const { username } = await demoUser(run, 'creator', 1)
  return availableWork(visitor, ({ ownerUsername }) => ownerUsername === username)
}
// With a sale the studio has a statement.
beforeAll(async () => {
  const [buyer] = await buyersOf(run)
  await purchase(run, buyer!, await byCreator()).sale
})

/** The texts and controls that begin or end outside of the window, unless something cuts them off on purpose. */
const outside = `[...document.querySelectorAll('main :is(h1, h2, h3, p, a, button, input, dd, label)')]
  .filter((element) => element.checkVisibility() && !element.closest('.carousel, .visually-hidden, [aria-hidden=true]'))
  .filter((element) => {
    const { left, right, width } = element.getBoundingClientRect()
    return width > 1 && (left < -1 || right > innerWidth + 1)
  })
  .map((element) => element.tagName + ' ' + element.textContent.slice(0, 30))`

test.each([320, 390, 820, 1440])(
  'a long word, a name in Arabic and a long description stay inside a window of %i px',
  async (width) => {
    const creator = await demoUser(run, 'creator', 1)
    const collector = await demoUser(run, 'collector', 2)
    const work = await byCreator()
    const viewport = { width, height: 844 }
    for (const [as, paths] of [
      [collector, ['/', '/explore-one', itemPath(work), `/creator-profile/${creator.username}`, '/orders']],
      [creator, [itemPath(work), '/studio', `/creator-profile-edit/${creator.userId}`]],
    ] as const) {
      const page = await visit('/error', { as, viewport, prepare: withLongTexts })
      for (const path of paths) {
        await page.goto(path)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await page.waitForLoadState('networkidle')
        expect(await page.evaluate(outside), path).toEqual([])
      }
    }
  },
)
