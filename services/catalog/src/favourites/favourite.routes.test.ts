import { randomUUID } from 'node:crypto'
import { MAX_FAVOURITES } from '@nifty/api/catalog/favourites'
import { hideItem } from '@nifty/api/catalog/ops'
import { endpointUrl } from '@nifty/api/endpoint'
import { accountDeleted } from '@nifty/events/auth'
import { messageOf } from '@nifty/service-kit/testing/events'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { at, startTestCatalog } from '../testing.ts'

const { app, db, peers, consume, givenAccount, givenItem, post } = await startTestCatalog()
const seller = await givenAccount({ admin: true })

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
async function send(userId: string, method: Method, path: string, payload?: object) {
  const response = await app.inject({ method, url: path, headers: peers.steppedUp(userId), payload })
  return { status: response.statusCode, body: response.json() }
}
const urlOf = (itemId: string) => `/api/favourites/${itemId}`
const idsOf = async (userId: string): Promise<string[]> => (await send(userId, 'GET', '/api/favourites')).body.itemIds
const hide = (itemId: string) => post(endpointUrl(hideItem, { params: { id: itemId } }), { reason: 'test' })

test('favourites are kept for their account, the latest first, and a second click changes nothing', async () => {
  const [ada, eve] = [await givenAccount(), await givenAccount()]
  const [first, second] = [await givenItem(seller.userId), await givenItem(seller.userId)]

  for (const { itemId } of [first, second, first])
    expect((await send(ada.userId, 'PUT', urlOf(itemId))).status).toBe(200)

  expect(await idsOf(ada.userId)).toEqual([second.itemId, first.itemId])
  expect(await idsOf(eve.userId)).toEqual([])
})

test('a favourite is removed once; one of another account, or none, is a 404', async () => {
  const [ada, eve] = [await givenAccount(), await givenAccount()]
  const { itemId } = await givenItem(seller.userId)
  await send(ada.userId, 'PUT', urlOf(itemId))

  expect(await send(eve.userId, 'DELETE', urlOf(itemId))).toMatchObject({
    status: 404,
    body: { code: 'favourite_not_found' },
  })
  expect(await idsOf(ada.userId)).toEqual([itemId])
  expect((await send(ada.userId, 'DELETE', urlOf(itemId))).status).toBe(200)
  expect((await send(ada.userId, 'DELETE', urlOf(itemId))).status).toBe(404)
})

test('an unknown work is a 404, a hidden one a 409, and a favourite that was hidden later is not listed', async () => {
  const ada = await givenAccount()
  const [shown, hidden] = [await givenItem(seller.userId), await givenItem(seller.userId)]
  await send(ada.userId, 'PUT', urlOf(hidden.itemId))
  await send(ada.userId, 'PUT', urlOf(shown.itemId))
  await hide(hidden.itemId)

  expect((await send(ada.userId, 'PUT', urlOf(randomUUID()))).status).toBe(404)
  expect((await send(ada.userId, 'PUT', urlOf('7'))).status).toBe(400)
  expect(await send(ada.userId, 'PUT', urlOf(hidden.itemId))).toMatchObject({
    status: 409,
    body: { code: 'item_hidden' },
  })
  expect(await idsOf(ada.userId)).toEqual([shown.itemId])
})

test('the favourites of the browser are merged in their order, without hidden, unknown and repeated works', async () => {
  const ada = await givenAccount()
  const [own, newest, oldest, hidden] = [
    await givenItem(seller.userId),
    await givenItem(seller.userId),
    await givenItem(seller.userId),
    await givenItem(seller.userId),
  ]
  await send(ada.userId, 'PUT', urlOf(own.itemId))
  await hide(hidden.itemId)
  const itemIds = [newest.itemId, own.itemId, oldest.itemId, newest.itemId, hidden.itemId, randomUUID()]

  expect(await send(ada.userId, 'POST', '/api/favourites', { itemIds })).toMatchObject({
    status: 200,
    body: { added: 2 },
  })
  expect(await send(ada.userId, 'POST', '/api/favourites', { itemIds })).toMatchObject({
    status: 200,
    body: { added: 0 },
  })

  const ids = await idsOf(ada.userId)
  expect(ids.filter((id) => id !== own.itemId)).toEqual([newest.itemId, oldest.itemId])
  expect((await send(ada.userId, 'POST', '/api/favourites', { itemIds: ['x'] })).status).toBe(400)
  const tooMany = Array.from({ length: MAX_FAVOURITES + 1 }, () => randomUUID())
  expect((await send(ada.userId, 'POST', '/api/favourites', { itemIds: tooMany })).status).toBe(400)
})

test('beyond 2,000 favourites the next one is a 429, also when two are added at once', async () => {
  const ada = await givenAccount()
  const items = [await givenItem(seller.userId), await givenItem(seller.userId), await givenItem(seller.userId)]
  await fillFavourites(ada.userId, MAX_FAVOURITES - 1)

  const statuses = await Promise.all(
    items.map(async ({ itemId }) => (await send(ada.userId, 'PUT', urlOf(itemId))).status),
  )

  expect(statuses.sort()).toEqual([200, 429, 429])
  expect(await idsOf(ada.userId)).toHaveLength(MAX_FAVOURITES)
  const itemIds = items.map(({ itemId }) => itemId)
  expect((await send(ada.userId, 'POST', '/api/favourites', { itemIds })).body).toEqual({ success: true, added: 0 })
})

test('the deletion of an account erases its favourites, and a request that was under way adds none', async () => {
  const ada = await givenAccount()
  const { itemId } = await givenItem(seller.userId)
  await send(ada.userId, 'PUT', urlOf(itemId))
  const { userId, username, email, firstName } = ada
  await consume(messageOf(accountDeleted, { userId, username, email, firstName, at }))

  expect((await send(ada.userId, 'PUT', urlOf(itemId))).status).toBe(401)
  expect(await db.selectFrom('favourite').select('itemId').where('userId', '=', userId).execute()).toEqual([])
})

test('the export of own data has the favourites', async () => {
  const ada = await givenAccount()
  const { itemId } = await givenItem(seller.userId)
  await send(ada.userId, 'PUT', urlOf(itemId))
  const { records } = (await send(ada.userId, 'GET', '/api/creators/export')).body
  expect(records).toEqual([{ kind: 'favourite', data: { itemId, createdAt: expect.any(String) } }])
})

test('works are read by their ids, in that order, without hidden ones; a malformed list is a 400', async () => {
  const [first, second, hidden] = [
    await givenItem(seller.userId),
    await givenItem(seller.userId),
    await givenItem(seller.userId),
  ]
  await hide(hidden.itemId)
  const read = async (ids: string) => app.inject(`/api/nfts/by-id?ids=${ids}`)

  const response = await read([second.itemId, hidden.itemId, first.itemId.toUpperCase(), second.itemId].join())
  expect(response.json().nfts.map(({ _id }: { _id: string }) => _id)).toEqual([second.itemId, first.itemId])

  const many = Array.from({ length: 49 }, () => first.itemId).join()
  for (const ids of ['', 'x', many, `${first.itemId},`])
    expect((await read(ids)).json()).toMatchObject({ code: 'invalid_ids', errors: [{ path: 'ids' }] })
  expect((await app.inject('/api/nfts/by-id')).statusCode).toBe(400)
})

/** Favourites of copies of one work. */
async function fillFavourites(userId: string, count: number) {
  const { itemId } = await givenItem(seller.userId)
  await sql`
    insert into item select (jsonb_populate_record(item, jsonb_build_object('id', gen_random_uuid(), 'token', token || copy))).*
    from item, generate_series(1, ${count}) copy where id = ${itemId}`.execute(db)
  await sql`
    insert into favourite (user_id, item_id)
    select ${userId}::uuid, copy.id from item copy, item model
    where model.id = ${itemId} and copy.identifier = model.identifier and copy.id <> model.id`.execute(db)
}
