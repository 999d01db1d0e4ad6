import { randomUUID } from 'node:crypto'
import { describeItem, searchItems } from '@nifty/api/catalog/item-search'
import type { EndpointBody } from '@nifty/api/endpoint'
import { expect, test } from 'vitest'
import { orderFor, startTestCatalog, txHash } from '../testing.ts'

const { post, getInternal, putInternal, givenAccount, givenItem, moveToken } = await startTestCatalog()
const artist = await givenAccount({ admin: true })
const search = (body: EndpointBody<typeof searchItems>) => post(searchItems.path, body)
const found = async (body: EndpointBody<typeof searchItems>) =>
  (await search(body)).body.items.map(({ itemId }: { itemId: string }) => itemId)
const describe = (id: string) => getInternal(describeItem.path.replace(':id', id))

test('a work is found by id, token, address of its page and a part of its name, also while it is hidden', async () => {
  const item = await givenItem(artist.userId, { name: 'Hälf-Moon over Porto' })
  await givenItem(artist.userId, { name: 'Full moon' })
  const token = `${item.contract}/${item.identifier}`
  const typed = [item.itemId, token, `https://store.example/item-detail/@ada/${token}?from=mail`, 'half moon', 'PORTO']
  for (const state of ['visible', 'hidden']) {
    for (const text of typed) expect([state, text, await found({ search: text })]).toEqual([state, text, [item.itemId]])
    await post(`/internal/items/${item.itemId}/hide`, { reason: 'a report' })
  }
  for (const text of ['porto lisbon', '...', randomUUID(), `${item.contract}/999999999`])
    expect([text, await found({ search: text })]).toEqual([text, []])
})

test('works are listed by state, artist and owner', async () => {
  const maker = await givenAccount({ admin: true })
  const [plain, hidden, reserved, featured] = [
    await givenItem(maker.userId, { priceCents: null }),
    await givenItem(maker.userId),
    await givenItem(maker.userId),
    await givenItem(maker.userId),
  ]
  await post(`/internal/items/${hidden.itemId}/hide`, { reason: 'a report' })
  await post('/internal/reservations', orderFor([reserved]))
  await putInternal('/internal/featured-items', { itemIds: [featured.itemId], reason: 'autumn show' })
  const owner = await givenAccount()
  await moveToken(plain, { ownerId: owner.userId })

  const creatorId = maker.userId
  expect(await found({ creatorId, state: 'hidden' })).toEqual([hidden.itemId])
  expect(await found({ creatorId, state: 'reserved' })).toEqual([reserved.itemId])
  expect(await found({ creatorId, state: 'featured' })).toEqual([featured.itemId])
  expect(await found({ creatorId, state: 'for_sale' })).toEqual([featured.itemId])
  expect(await found({ ownerId: owner.userId })).toEqual([plain.itemId])
  expect((await found({ creatorId })).sort()).toEqual(
    [plain, hidden, reserved, featured].map(({ itemId }) => itemId).sort(),
  )
  expect((await search({ ownerId: owner.userId })).body.items).toMatchObject([
    { creatorUsername: maker.username, ownerUsername: owner.username, forSale: false, featured: false, hiddenBy: null },
  ])
})

test('a page has 50 works, and the next one those that follow', async () => {
  const maker = await givenAccount({ admin: true })
  for (let count = 0; count < 52; count++) await givenItem(maker.userId)
  const first = (await search({ creatorId: maker.userId })).body
  const second = (await search({ creatorId: maker.userId, after: first.next })).body
  expect([first.items.length, second.items.length, second.next]).toEqual([50, 2, null])
  const ids = [...first.items, ...second.items].map(({ itemId }) => itemId)
  expect(new Set(ids).size).toBe(52)
})

test('a work has its owners, its reservation and why an operator hides it', async () => {
  const item = await givenItem(artist.userId)
  const owner = await givenAccount()
  const move = txHash()
  await moveToken(item, { ownerId: owner.userId, txHash: move })
  await post(`/internal/items/${item.itemId}/hide`, { reason: 'a report' })
  expect(await describe(item.itemId)).toMatchObject({
    item: { itemId: item.itemId, ownerId: owner.userId, hiddenBy: 'operator' },
    reservation: null,
    hidden: { operator: 'ada', reason: 'a report' },
    history: expect.arrayContaining([
      expect.objectContaining({ what: 'moved', userId: owner.userId, username: owner.username, txHash: move }),
    ]),
    actions: [{ action: 'hide-item', operator: 'ada', reason: 'a report' }],
  })

  const sold = await givenItem(artist.userId)
  const order = orderFor([sold])
  await post('/internal/reservations', order)
  expect(await describe(sold.itemId)).toMatchObject({
    reservation: { orderId: order.orderId, buyerId: order.buyerId, price: 120 },
    hidden: null,
  })
  expect(await describe(randomUUID())).toMatchObject({ code: 'item_not_found' })
})

test.each<[string, object]>([
  ['search', { search: ' ' }],
  ['creatorId', { creatorId: 'ada' }],
  ['state', { state: 'sold' }],
  ['after', { after: randomUUID() }],
])('a wrong %s is a 400 that names it', async (path, body) => {
  const { status, body: error } = await search(body)
  expect([status, error.errors]).toEqual([400, [expect.objectContaining({ path: expect.stringContaining(path) })]])
})
