import * as creators from '@nifty/api/catalog/creators'
import * as exhibitions from '@nifty/api/catalog/exhibitions'
import * as favourites from '@nifty/api/catalog/favourites'
import * as ops from '@nifty/api/catalog/ops'
import * as market from '@nifty/api/catalog/public'
import { type Endpoint, endpointUrl, isEndpoint } from '@nifty/api/endpoint'
import { takeDatabaseAway } from '@nifty/service-kit/testing/database'
import { expect, test } from 'vitest'
import { startTestCatalog } from '../testing.ts'

const { app, db, start, givenAccount, givenItem, putInternal } = await startTestCatalog()
const seller = await givenAccount({ admin: true })
const item = await givenItem(seller.userId)
const slug = 'spring'
const form = { title: 'Spring', description: '', opensOn: '2026-01-01', itemIds: [item.itemId], reason: 'spring' }
await putInternal(endpointUrl(ops.setExhibition, { params: { slug } }), form)
const [, , , username, contract, identifier] = item.page.split('/').map(decodeURIComponent) as string[]
const params = { username, contract, identifier, slug }
const query = { ids: item.itemId }

/** What pages of the shop request without a session. */
const anonymousReads = [market, creators, exhibitions, favourites]
  .flatMap((each): unknown[] => Object.values(each))
  .filter(isEndpoint)
  .filter(({ method, access }: Endpoint) => method === 'GET' && access === 'public')
const urls = [
  ...anonymousReads.map((endpoint) => endpointUrl(endpoint, { params, query: endpoint.query && query })),
  `${market.getMarket.path}?page=1&limit=3&search=dusk&minPrice=1&creator=ada`,
]
const statusesOf = async (process: { app: Pick<typeof app, 'inject'> }, paths = urls) => {
  const responses = await Promise.all(paths.map(async (url) => [url, (await process.app.inject(url)).statusCode]))
  return Object.fromEntries(responses)
}
const all = (status: number, paths = urls) => Object.fromEntries(paths.map((url) => [url, status]))

test('while the database is away visitors get what was current, a process stays ready, and writes are refused', async () => {
  expect(anonymousReads.length).toBeGreaterThan(7)
  const replica = await start()
  expect(await statusesOf({ app })).toEqual(all(200))
  expect(await statusesOf({ app }, ['/readyz'])).toEqual({ '/readyz': 200 })
  const comeBack = await takeDatabaseAway(db)
  expect(await statusesOf({ app })).toEqual(all(200))
  expect(await statusesOf({ app }, ['/readyz'])).toEqual({ '/readyz': 200 })
  expect(await statusesOf(replica, [...urls, '/readyz'])).toEqual(all(503, [...urls, '/readyz']))
  await comeBack()
  expect(await statusesOf(replica)).toEqual(all(200))
  await replica.stop()
})
