import { expect, test } from 'vitest'
import { startTestCatalog } from '../testing.ts'

const { app, get, post, givenAccount, givenItem, moveToken } = await startTestCatalog()

test('creators are the owners of items: a buyer becomes one, and who has sold all works is none', async () => {
  const [artist, buyer] = [await givenAccount({ admin: true }), await givenAccount()]
  const item = await givenItem(artist.userId)
  const listed = async () => {
    const { creators } = await get('/api/creators')
    return creators.filter(({ _id }: any) => [artist.userId, buyer.userId].includes(_id))
  }
  expect(await listed()).toMatchObject([{ _id: artist.userId, works: 1, items: [{ _id: item.itemId }] }])

  await moveToken(item, { ownerId: buyer.userId })
  expect(await listed()).toMatchObject([{ _id: buyer.userId, works: 0, sales: 0, items: [{ _id: item.itemId }] }])

  await post(`/internal/items/${item.itemId}/hide`, { reason: 'report' })
  expect(await listed()).toEqual([])
})

test('creators beyond the first 200 are on further pages, each once and in one order', async () => {
  const made = []
  for (let number = 0; number < 203; number++) {
    const { userId } = await givenAccount({ admin: true })
    await givenItem(userId)
    made.push(userId)
  }

  const pages = [await get('/api/creators'), await get('/api/creators?page=2'), await get('/api/creators?page=3')]

  const total = pages[0].total
  expect(pages.map(({ creators, ...rest }) => ({ ...rest, size: creators.length }))).toEqual([
    { total, page: 1, limit: 200, size: 200 },
    { total, page: 2, limit: 200, size: total - 200 },
    { total, page: 3, limit: 200, size: 0 },
  ])
  const ids = pages.flatMap(({ creators }) => creators.map(({ _id }: any) => _id))
  expect(new Set(ids).size).toBe(total)
  expect(ids).toEqual(expect.arrayContaining(made))
  const inTens = []
  for (let page = 1; page <= Math.ceil(total / 10); page++)
    inTens.push(...(await get(`/api/creators?page=${page}&limit=10`)).creators)
  expect(inTens.map(({ _id }) => _id)).toEqual(ids)
})

test('the total counts creators that are listed: no suspended accounts, none whose works are hidden', async () => {
  const { total } = await get('/api/creators?limit=1')
  const [hidden, suspended] = [
    await givenAccount({ admin: true }),
    await givenAccount({ admin: true, suspended: true }),
  ]
  const item = await givenItem(hidden.userId)
  await givenItem(suspended.userId)
  expect((await get('/api/creators?limit=1')).total).toBe(total + 1)

  await post(`/internal/items/${item.itemId}/hide`, { reason: 'report' })
  expect((await get('/api/creators?limit=1')).total).toBe(total)
})

test.each(['page=0', 'page=-1', 'page=x', 'limit=0', 'limit=1.5'])('creators with %s are refused', async (query) => {
  const response = await app.inject(`/api/creators?${query}`)
  expect(response.statusCode).toBe(400)
  expect(response.json()).toMatchObject({ code: 'invalid_paging', message: 'Invalid paging' })
})
