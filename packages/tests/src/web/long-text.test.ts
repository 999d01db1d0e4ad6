import { buyersOf, purchase } from '@nifty/testkit/purchase'
import { demoUser } from '@nifty/testkit/users'
import { itemPath, workAndOwner } from '@nifty/testkit/works'
import { beforeAll, expect, test } from 'vitest'
import { withLongTexts } from '../screens/long-texts.ts'
import { useBrowser } from './use-browser.ts'

const { run, visit, visitor } = await useBrowser()

// With a sale the studio has a statement.
let seller: Awaited<ReturnType<typeof workAndOwner>>['owner']
beforeAll(async () => {
  const [buyer] = await buyersOf(run)
  const { work, owner } = await workAndOwner(run, visitor)
  await purchase(run, buyer!, work).sale
  seller = owner
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
    const collector = await demoUser(run, 'collector', 2)
    const { work, owner } = await workAndOwner(run, visitor)
    const viewport = { width, height: 844 }
    for (const [as, paths] of [
      [collector, ['/', '/explore-one', itemPath(work), `/creator-profile/${owner.username}`, '/orders']],
      [owner, [itemPath(work)]],
      [seller, ['/studio', `/creator-profile-edit/${seller.userId}`]],
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
