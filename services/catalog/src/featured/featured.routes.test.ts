import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { orderFor, startTestCatalog } from '../testing.ts'

const { db, get, market, post, put, putInternal, getInternal, givenAccount, givenItem } = await startTestCatalog()
const artists = await Promise.all(Array.from({ length: 8 }, () => givenAccount({ admin: true })))
const [ada, bea, cleo] = artists as [(typeof artists)[0], (typeof artists)[0], (typeof artists)[0]]
const featured = async () => (await get('/api/nfts/featured')).nfts.map(({ _id }: { _id: string }) => _id)
const feature = (itemIds: string[]) => putInternal('/internal/featured-items', { itemIds, reason: 'autumn show' })
const unfeature = (id: string) => post(`/internal/items/${id}/unfeature`, { reason: 'autumn is over' })

test('without a choice: the newest work for sale of each artist, at most six', async () => {
  expect(await featured()).toEqual([])
  const older = await givenItem(ada.userId)
  const newer = await givenItem(ada.userId)
  const unlisted = await givenItem(bea.userId, { priceCents: null })
  expect(await featured()).toEqual([newer.itemId])
  await post('/internal/reservations', orderFor([newer]))
  expect(await featured()).toEqual([older.itemId])
  for (const { userId } of artists) await givenItem(userId)
  const shown = (await get('/api/nfts/featured')).nfts
  expect(shown).toHaveLength(6)
  expect(new Set(shown.map(({ creatorUsername }: any) => creatorUsername)).size).toBe(6)
  expect(await featured()).not.toContain(unlisted.itemId)
})

test("an operator's works come first in their order, and their artists do not repeat", async () => {
  const one = await givenItem(cleo.userId)
  const two = await givenItem(bea.userId)
  expect(await feature([one.itemId, two.itemId])).toEqual({ status: 200, body: { success: true } })
  const ids = await featured()
  expect(ids.slice(0, 2)).toEqual([one.itemId, two.itemId])
  const names = (await get('/api/nfts/featured')).nfts.map(({ creatorUsername }: any) => creatorUsername)
  expect(new Set(names).size).toBe(6)
  expect((await getInternal('/internal/featured-items')).items).toEqual([
    { itemId: one.itemId, name: 'Dusk', forSale: true, hidden: false },
    { itemId: two.itemId, name: 'Dusk', forSale: true, hidden: false },
  ])

  await post(`/internal/items/${one.itemId}/hide`, { reason: 'report' })
  expect((await featured())[0]).toBe(two.itemId)
  expect((await getInternal('/internal/featured-items')).items[0].hidden).toBe(true)
  expect((await feature([one.itemId])).body.code).toBe('item_hidden')

  expect((await unfeature(one.itemId)).status).toBe(200)
  expect(await unfeature(one.itemId)).toMatchObject({ status: 404, body: { code: 'item_not_featured' } })
  expect((await getInternal('/internal/featured-items')).items).toHaveLength(1)
  const log = await db.selectFrom('auditLog').select(['action', 'reason']).where('subject', '=', one.itemId).execute()
  expect(log).toEqual([
    { action: 'feature-item', reason: 'autumn show' },
    { action: 'hide-item', reason: 'report' },
    { action: 'unfeature-item', reason: 'autumn is over' },
  ])
})

test('a featured work is shown while it is for sale, and its place goes to another artist meanwhile', async () => {
  const [one, two] = [await givenItem(ada.userId), await givenItem(bea.userId)]
  await feature([one.itemId, two.itemId])
  await post('/internal/reservations', orderFor([one]))
  expect((await featured()).slice(0, 2)).toEqual([one.itemId, two.itemId])

  await put(bea.userId, `${two.path}/remove-from-sale`)
  const ids = await featured()
  expect(ids[0]).toBe(one.itemId)
  expect(ids).not.toContain(two.itemId)
  expect(ids).toHaveLength(6)
  expect((await getInternal('/internal/featured-items')).items[1]).toMatchObject({ itemId: two.itemId, forSale: false })

  await put(bea.userId, `${two.path}/set-price`, { price: 5, forSale: true })
  expect((await featured()).slice(0, 2)).toEqual([one.itemId, two.itemId])
})

test('a list that cannot be featured changes nothing', async () => {
  const item = await givenItem(ada.userId)
  await feature([item.itemId])
  const wrong = [[], Array.from({ length: 7 }, () => randomUUID()), ['x'], [item.itemId, item.itemId]]
  for (const ids of wrong) expect((await feature(ids)).status).toBe(400)
  expect((await feature([item.itemId, randomUUID()])).status).toBe(404)
  expect((await putInternal('/internal/featured-items', { itemIds: [item.itemId] })).status).toBe(400)
  expect((await featured())[0]).toBe(item.itemId)
})

test('operators who replace the list at once leave one of the lists', async () => {
  const items = await Promise.all(Array.from({ length: 4 }, () => givenItem(ada.userId)))
  const [one, two, three, four] = items.map(({ itemId }) => itemId) as [string, string, string, string]
  const lists = [
    [one, two, three],
    [three, one],
    [four, two],
  ]
  const answers = await Promise.all(lists.flatMap((list) => [feature(list), feature(list)]))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  const left = (await getInternal('/internal/featured-items')).items.map(({ itemId }: any) => itemId)
  expect(lists).toContainEqual(left)
})

test('sort=for_sale puts works for sale first, also in a category', async () => {
  const name = 'Zanzibar'
  const relisted = await givenItem(ada.userId, { name, category: 'Moto' })
  const first = await givenItem(ada.userId, { name, category: 'Moto' })
  const second = await givenItem(ada.userId, { name, category: 'Moto' })
  await put(ada.userId, `${second.path}/remove-from-sale`)
  await put(ada.userId, `${relisted.path}/remove-from-sale`)
  await put(ada.userId, `${relisted.path}/set-price`, { price: 5, forSale: true })
  for (const query of ['category=Moto', 'search=zanzibar', 'category=Moto&creator=']) {
    const { nfts, total } = await market(`?sort=for_sale&${query}`)
    expect(nfts.map(({ _id }) => _id)).toEqual([first.itemId, relisted.itemId, second.itemId])
    expect(total).toBe(3)
  }
})
