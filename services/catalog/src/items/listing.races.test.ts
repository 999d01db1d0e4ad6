import { waitForBlockedQuery } from '@nifty/service-kit/testing/blocked-query'
import { expect, test } from 'vitest'
import { startTestCatalog, wallet } from '../testing.ts'

const { put, get, db, givenAccount, givenItem, moveToken, published, peers } = await startTestCatalog()

test('an item that moves while minting is asked is not listed', async () => {
  const seller = await givenAccount({ admin: true })
  const item = await givenItem(seller.userId, {}, { inWallet: wallet() })
  peers.whileMintingIsAsked(() => moveToken(item, { ownerId: seller.userId, wallet: wallet() }))

  const response = await put(seller.userId, `${item.path}/set-price`, { price: 5, forSale: true })

  expect([response.statusCode, response.json().code]).toEqual([409, 'item_moved'])
  expect(await get(item.page)).toMatchObject({ forSale: false })
})

test('a work in custody whose listing ends while its price is changed is not listed again unchecked', async () => {
  const seller = await givenAccount({ admin: true })
  const item = await givenItem(seller.userId)
  const delisting = await db.startTransaction().execute()
  await delisting.updateTable('item').set({ forSale: false }).where('id', '=', item.itemId).execute()

  const response = put(seller.userId, `${item.path}/set-price`, { price: 5, forSale: true })
  await waitForBlockedQuery(db).finally(() => delisting.commit().execute())

  expect([(await response).statusCode, (await response).json().code]).toEqual([409, 'item_delisted'])
  expect(await get(item.page)).toMatchObject({ forSale: false, price: 120 })
})

test('a listing waits for a simultaneous suspension of its seller, and is then refused', async () => {
  const seller = await givenAccount({ admin: true })
  const item = await givenItem(seller.userId, { priceCents: null })
  const suspension = await db.startTransaction().execute()
  await suspension.updateTable('account').set({ suspended: true }).where('userId', '=', seller.userId).execute()

  const listing = put(seller.userId, `${item.path}/set-price`, { price: 5, forSale: true })
  await waitForBlockedQuery(db).finally(() => suspension.commit().execute())

  expect((await listing).statusCode).toBe(403)
  expect(await get(item.page)).toMatchObject({ forSale: false })
  expect(await published(item.itemId)).toEqual([])
})
