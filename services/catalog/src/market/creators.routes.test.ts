import { expect, test } from 'vitest'
import { startTestCatalog } from '../testing.ts'

const { get, post, givenAccount, givenItem, moveToken } = await startTestCatalog()

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
