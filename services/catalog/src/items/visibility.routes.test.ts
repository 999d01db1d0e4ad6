import { hideItem, showItem } from '@nifty/api/catalog/ops'
import { endpointUrl } from '@nifty/api/endpoint'
import { itemHidden } from '@nifty/events/catalog'
import { listOperatorActions } from '@nifty/service-kit/database/operator-audit'
import { expect, test } from 'vitest'
import { orderFor, startTestCatalog, wallet } from '../testing.ts'

const { put, post, get, market, givenAccount, givenItem, moveToken, published, peers, app, db } =
  await startTestCatalog()
const owner = await givenAccount({ admin: true })
const other = await givenAccount()

const hidden = async (userId: string) =>
  (await app.inject({ url: '/api/nfts/hidden', headers: peers.bearer(userId) })).json().nfts
const operator = (endpoint: typeof hideItem | typeof showItem, id: string) =>
  post(endpointUrl(endpoint, { params: { id } }), { reason: 'a report' })
const codeOf = async (answer: ReturnType<typeof put>) => {
  const { statusCode, json } = await answer
  return [statusCode, json().code]
}

/** A work that is for sale neither now nor as soon as it has an owner. */
const givenUnlisted = () => givenItem(owner.userId, { priceCents: null })

test('an owner hides a work from every public page, and shows it again', async () => {
  const item = await givenUnlisted()
  expect((await put(owner.userId, `${item.path}/hide`)).json()).toEqual({ success: true })
  expect((await put(owner.userId, `${item.path}/hide`)).statusCode).toBe(200)
  expect(await get(item.page)).toMatchObject({ code: 'item_not_found' })
  expect((await market()).nfts.map(({ _id }) => _id)).not.toContain(item.itemId)
  expect((await market(`?creator=${owner.username}`)).nfts.map(({ _id }) => _id)).not.toContain(item.itemId)
  expect((await get(`/api/nfts/user/${owner.username}`)).nfts.map((nft: any) => nft._id)).not.toContain(item.itemId)
  expect(await hidden(owner.userId)).toMatchObject([{ _id: item.itemId, name: 'Dusk', forSale: false }])
  expect(await hidden(other.userId)).toEqual([])

  expect((await put(owner.userId, `${item.path}/show`)).statusCode).toBe(200)
  expect((await put(owner.userId, `${item.path}/show`)).statusCode).toBe(200)
  expect(await get(item.page)).toMatchObject({ _id: item.itemId, forSale: false })
  expect(await hidden(owner.userId)).toEqual([])
})

test('a work that is listed, will be listed, or is reserved cannot be hidden', async () => {
  const listed = await givenItem(owner.userId)
  expect(await codeOf(put(owner.userId, `${listed.path}/hide`))).toEqual([409, 'listed'])

  const reserved = await givenItem(owner.userId)
  const { body } = await post('/internal/reservations', orderFor([reserved]))
  expect(body).not.toHaveProperty('code')
  expect(await codeOf(put(owner.userId, `${reserved.path}/hide`))).toEqual([409, 'item_reserved'])

  const artist = await givenAccount()
  const pending = await givenItem(artist.userId)
  expect(await get(pending.page)).toMatchObject({ forSale: false, listingPending: true })
  expect(await codeOf(put(artist.userId, `${pending.path}/hide`))).toEqual([409, 'listed'])
})

test('a hidden work is listed only after it is shown', async () => {
  const item = await givenUnlisted()
  await put(owner.userId, `${item.path}/hide`)
  const list = () => put(owner.userId, `${item.path}/set-price`, { price: 5, forSale: true })
  expect(await codeOf(list())).toEqual([409, 'item_hidden'])
  await put(owner.userId, `${item.path}/show`)
  expect((await list()).statusCode).toBe(200)
})

test('only the owner hides and shows a work', async () => {
  const item = await givenUnlisted()
  const foreign = `/api/nfts/${wallet()}/1`
  for (const action of ['hide', 'show']) {
    expect((await put(undefined, `${item.path}/${action}`)).statusCode).toBe(401)
    expect(await codeOf(put(other.userId, `${item.path}/${action}`))).toEqual([403, 'not_the_owner'])
    expect(await codeOf(put(owner.userId, `${foreign}/${action}`))).toEqual([403, 'foreign_contract'])
    expect(await codeOf(put(owner.userId, `/api/nfts/${item.contract}/999999/${action}`))).toEqual([
      404,
      'item_not_found',
    ])
  }
  await put(owner.userId, `${item.path}/hide`)
  // Also its existence is hidden.
  for (const action of ['hide', 'show', 'remove-from-sale'])
    expect((await put((await givenAccount({ admin: true })).userId, `${item.path}/${action}`)).statusCode).toBe(404)
  expect((await app.inject('/api/nfts/hidden')).statusCode).toBe(401)
})

test('an owner does not lift an operator’s hiding, and an operator not an owner’s', async () => {
  const item = await givenUnlisted()
  await put(owner.userId, `${item.path}/hide`)
  expect(await operator(showItem, item.itemId)).toMatchObject({ status: 409, body: { code: 'hidden_by_owner' } })
  for (const _ of [1, 2]) await operator(hideItem, item.itemId)
  const mailed = (await published(item.itemId)).filter(({ name }) => name === itemHidden.name)
  expect(mailed).toMatchObject([{ userId: owner.userId }])
  expect((await hidden(owner.userId))[0]).toMatchObject({
    _id: item.itemId,
    hiddenBy: 'operator',
    hiddenReason: 'a report',
  })
  for (const action of ['hide', 'show'])
    expect(await codeOf(put(owner.userId, `${item.path}/${action}`))).toEqual([404, 'item_not_found'])
  await operator(showItem, item.itemId)
  expect((await listOperatorActions(db, [item.itemId])).at(-1)).toMatchObject({ action: 'show-item', operator: 'ada' })
  expect(await get(item.page)).toMatchObject({ _id: item.itemId })
  await put(owner.userId, `${item.path}/hide`)
  expect((await hidden(owner.userId))[0]).toMatchObject({ _id: item.itemId, hiddenBy: 'owner', hiddenReason: null })
})

test('the hiding ends when another account owns the work, and not when its owner withdraws it', async () => {
  const [item, moderated] = [await givenUnlisted(), await givenUnlisted()]
  await put(owner.userId, `${item.path}/hide`)
  await operator(hideItem, moderated.itemId)
  await moveToken(item, { ownerId: owner.userId, wallet: wallet(), position: 200 })
  expect((await hidden(owner.userId)).slice(0, 2)).toMatchObject([{ _id: moderated.itemId }, { _id: item.itemId }])
  for (const each of [item, moderated])
    await moveToken(each, { ownerId: other.userId, wallet: wallet(), position: 300 })
  expect(await get(item.page)).toMatchObject({ ownerUsername: other.username })
  expect(await get(moderated.page)).toMatchObject({ code: 'item_not_found' })
})

test('hiding and listing at the same time end with one of them', async () => {
  for (let round = 0; round < 5; round++) {
    const item = await givenUnlisted()
    const [hide, list] = await Promise.all([
      put(owner.userId, `${item.path}/hide`),
      put(owner.userId, `${item.path}/set-price`, { price: 5, forSale: true }),
    ])
    expect([hide.statusCode, list.statusCode].sort()).toEqual([200, 409])
  }
})
