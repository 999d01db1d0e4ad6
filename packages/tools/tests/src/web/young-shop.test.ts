import { listCreators } from '@nifty/api/catalog/creators'
import { getMarket, listFeatured, listNftsOfUser, listTopItems, type Nft } from '@nifty/api/catalog/public'
import type { ContextOptions } from '@nifty/testkit/browser-context'
import { demoUser } from '@nifty/testkit/users'
import type { BrowserContext } from 'playwright-core'
import { expect, test } from 'vitest'
import { useBrowser } from './use-browser.ts'

const { visit, run, visitor } = await useBrowser()

type Shop = { works: Nft[]; top?: Nft[]; creators?: object[] }

/** Answers the lists of home, explore and the page of creators as a shop with these works does. */
const shopWith =
  ({ works, top = works, creators = [] }: Shop): NonNullable<ContextOptions['prepare']> =>
  async (context: BrowserContext) => {
    const nfts = { nfts: works, total: works.length, page: 1, limit: 200 }
    await context.route(`**${listFeatured.path}`, (route) => route.fulfill({ json: { nfts: works } }))
    await context.route(`**${getMarket.path}?**`, (route) => route.fulfill({ json: nfts }))
    await context.route(`**${listTopItems.path}`, (route) => route.fulfill({ json: { nfts: top } }))
    await context.route(`**${listCreators.path}?**`, (route) =>
      route.fulfill({ json: { creators, total: creators.length, page: 1, limit: 8 } }),
    )
  }

test.each([1, 2])('a shop with %i works has as many frames, and shows each once there', async (count) => {
  const works = (await visitor.market()).slice(0, count)
  const page = await visit('/', { prepare: shopWith({ works }) })
  await page.getByRole('heading', { level: 2, name: 'Q&A' }).waitFor()
  await expect.poll(() => page.locator('.hero-items__frame').count()).toBe(count)
  expect(await page.locator('.hero-items__name').allTextContents()).toEqual(works.map(({ name }) => name))
})

test('sections without works stand beside none that has some', async () => {
  const works = (await visitor.market()).slice(0, 1)
  const page = await visit('/', { prepare: shopWith({ works, top: [] }) })
  await page.getByRole('region', { name: 'Discover Items' }).getByRole('article').waitFor()
  await page.getByRole('heading', { level: 2, name: 'Q&A' }).waitFor()
  await expect.poll(() => page.getByRole('heading', { level: 2, name: 'Best Creators' }).count()).toBe(0)
  expect(await page.getByRole('heading', { level: 2, name: 'Top Items' }).count()).toBe(0)
})

test('an empty shop has no frame, and the texts of its sections', async () => {
  const page = await visit('/', { prepare: shopWith({ works: [] }) })
  await page.getByText('No creators available').waitFor()
  await expect.poll(() => page.getByText('No NFTs available').count()).toBe(2)
  expect(await page.locator('.hero-items__frame').count()).toBe(0)

  await page.goto('/explore-one')
  await page.getByRole('main').getByRole('link', { name: 'Sell your work' }).waitFor()
  expect(await page.getByRole('button', { name: 'Clear filters' }).count()).toBe(0)
})

test('the studio lists the works that others bought, with their owners', async () => {
  const creator = await demoUser(run, 'creator')
  const [work, ...others] = await visitor.market()
  const sold = { ...work!, creatorUsername: creator.username, ownerUsername: '@bea', name: 'Sold & gone' }
  const page = await visit('/studio', {
    as: creator,
    prepare: async (context) => {
      await shopWith({ works: [sold] })(context)
      const own = { ...others[0]!, ownerUsername: creator.username, name: 'Still here' }
      await context.route(`**${listNftsOfUser.path.replace(':username', '*')}`, (route) =>
        route.fulfill({ json: { nfts: [own] } }),
      )
    },
  })
  const works = page.getByRole('region', { name: 'Your works' })
  await expect.poll(() => works.getByRole('listitem').count()).toBe(2)
  const row = works.getByRole('listitem').filter({ hasText: 'Sold & gone' })
  expect(await row.textContent()).toContain('Sold, now of @bea')
  expect(await row.getByRole('button').count()).toBe(0)
  await works.getByRole('button', { name: 'Manage Still here' }).waitFor()
})
