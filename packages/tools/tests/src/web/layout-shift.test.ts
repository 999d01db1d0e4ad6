import { startAuction } from '@nifty/api/catalog/auctions'
import { addFavourite } from '@nifty/api/catalog/favourites'
import type { NftDetail } from '@nifty/api/catalog/public'
import { desktop, phone } from '@nifty/testkit/browser'
import { holdOffer, takeOffers } from '@nifty/testkit/offers'
import { apiClientOf, demoUser } from '@nifty/testkit/users'
import { availableWork, itemPath, workAndOwner } from '@nifty/testkit/works'
import { beforeAll, expect, test } from 'vitest'
import { useBrowser } from './use-browser.ts'

const { run, visit, visitor } = await useBrowser()

/** The page of an artist with a work on auction, which is also a favourite of a collector. */
let profile: string
let onAuction: NftDetail
beforeAll(async () => {
  const { work, owner } = await workAndOwner(run, visitor)
  const body = { itemId: work._id, opening: work.price!, hours: 1 }
  expect((await apiClientOf(run, owner).send(startAuction, { body })).status).toBe(200)
  const collector = await demoUser(run, 'collector')
  await apiClientOf(run, collector).send(addFavourite, { params: { id: work._id } })
  profile = `/creator-profile/${owner.username}`
  onAuction = await visitor.item(work)
})

test.each([phone, desktop])('at $width px lists and an item load without layout shift', async (viewport) => {
  const item = itemPath(await availableWork(visitor))
  const page = await visit('/error', {
    as: await demoUser(run, 'collector'),
    viewport,
    prepare: async (context) => {
      await context.addInitScript({ content: watchShifts })
      // The prices of auctions arrive after the works.
      await context.route(/auction-price/, (route) => setTimeout(() => void route.continue(), 500))
    },
  })
  for (const path of ['/', '/explore-one', item, '/favourites', profile]) {
    await page.goto(path)
    await page.locator('main .picture[data-state=loaded]').first().waitFor()
    await page.waitForLoadState('networkidle')
    expect(await page.evaluate('window.shifts'), path).toEqual([])
  }
})

test.each([phone, desktop])(
  'at $width px the page of a work on auction loads without layout shift, also after the auction has ended',
  async (viewport) => {
    const states: [object, string][] = [
      [{}, 'Place a bid'],
      [{ outcome: 'awarded' }, 'The auction is over, and the work is being delivered to the winner'],
      [{ outcome: 'unsold', endedAt: new Date().toISOString() }, 'The auction ended without a bid'],
    ]
    for (const [changes, text] of states) {
      const page = await visit('/error', {
        as: await demoUser(run, 'collector'),
        viewport,
        prepare: async (context) => {
          await context.addInitScript({ content: watchShifts })
          // Own bids arrive after the user, and the code of auctions after the work.
          for (const late of [/item-auction/, /api\/orders/])
            await context.route(late, (route) => setTimeout(() => void route.continue(), 500))
          const json = { ...onAuction, auction: { ...onAuction.auction, ...changes } }
          const path = `**/api/nfts/*/${json.contract}/${json.identifier}`
          await context.route(path, (route) => route.fulfill({ json }))
        },
      })
      await page.goto(itemPath(onAuction))
      await page.getByText(/^(Opening|Market) price$/i).waitFor()
      expect(await page.getByText('NOT FOR SALE', { exact: true }).count()).toBe(text.includes('ended') ? 1 : 0)
      await page.getByText(text).waitFor()
      await page.waitForLoadState('networkidle')
      expect(await page.evaluate('window.shifts'), text).toEqual([])
    }
  },
)

test.each([phone, desktop])(
  'at $width px the page of a work loads without layout shift with an offer of its reader',
  async ({ width }) => {
    const { work, owner } = await workAndOwner(run, visitor, ({ offers }) => !offers)
    const seller = apiClientOf(run, owner)
    await takeOffers(seller, work)
    const buyer = await demoUser(run, 'collector', 1)
    await holdOffer(run, seller, { client: apiClientOf(run, buyer), work, price: 1 })
    // A wide work, beside which the panel is higher, in a window that shows what is below both.
    const json = { ...(await visitor.item(work)), width: 2_400, height: 800 }
    const page = await visit('/error', {
      as: buyer,
      viewport: { width, height: 2_000 },
      prepare: async (context) => {
        await context.addInitScript({ content: watchShifts })
        for (const late of [/own-offer/, /api\/orders/])
          await context.route(late, (route) => setTimeout(() => void route.continue(), 500))
        await context.route(`**/api/nfts/*/${json.contract}/${json.identifier}`, (route) => route.fulfill({ json }))
      },
    })
    await page.goto(itemPath(work))
    await page.getByText('Your card is held, not charged.').waitFor()
    await page.waitForLoadState('networkidle')
    expect(await page.evaluate('window.shifts')).toEqual([])
  },
)

const watchShifts = `
  window.shifts = []
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if (!entry.hadRecentInput) shifts.push([entry.value, ...entry.sources.map(({ node }) => node?.className)])
  }).observe({ type: 'layout-shift', buffered: true })
`
