import { expect, test } from 'vitest'
import { startTestCatalog } from '../testing.ts'
import { createSitemapParts, findSitemapItems } from './sitemap.store.ts'

const { app, db, get, post, givenAccount, givenItem } = await startTestCatalog()
const ada = await givenAccount({ admin: true, username: '@ada' })

test('the parts together list every visible item once', async () => {
  expect(await get('/api/nfts/sitemap/parts')).toEqual({ parts: [] })
  const items = []
  for (let count = 0; count < 7; count++) items.push(await givenItem(ada.userId))
  await post(`/internal/items/${items[0]!.itemId}/hide`, { reason: 'report' })

  const parts = await createSitemapParts(db, 3)()
  expect(parts).toHaveLength(2)
  const listed = (await Promise.all(parts.map((first) => findSitemapItems(db, first, 3)))).flat()
  expect(listed.map(({ identifier }) => identifier).sort()).toEqual(
    items
      .slice(1)
      .map(({ identifier }) => identifier)
      .sort(),
  )
  expect(listed[0]).toMatchObject({ username: '@ada', contract: items[0]!.contract })

  const { items: all } = await get(`/api/nfts/sitemap?first=${parts[0]}`)
  expect(all).toHaveLength(6)
})

test.each(['', 'x', "'", '%00', '1'])('a part that begins with %j is refused', async (first) => {
  expect((await app.inject(`/api/nfts/sitemap?first=${first}`)).statusCode).toBe(400)
})
