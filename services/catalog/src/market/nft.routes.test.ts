import { accountChanged } from '@nifty/events/auth'
import { messageOf } from '@nifty/service-kit/testing/events'
import { expect, test } from 'vitest'
import { startTestCatalog, wallet } from '../testing.ts'

const { db, app, get, consume, givenAccount, givenItem, moveToken } = await startTestCatalog()
const seller = await givenAccount({ admin: true })

test.each(['/api/nfts/market?limit=1', '/api/nfts/featured', '/api/nfts/top-items'])(
  'with a token %s includes every change committed before the request, as the item page does',
  async (path) => {
    const item = await givenItem(seller.userId, { at: new Date().toISOString() })
    for (const name of ['Dawn', 'Noon', 'Night']) {
      await db.updateTable('item').set({ name }).where('id', '=', item.itemId).execute()
      expect((await get(path)).nfts.map((nft: { name: string }) => nft.name)).toContain(name)
    }
  },
)

test('without a token an item page follows a change', async () => {
  const item = await givenItem(seller.userId)
  const name = async () => (await app.inject(item.page)).json().name
  expect(await name()).toBe('Dusk')
  await db.updateTable('item').set({ name: 'Dawn' }).where('id', '=', item.itemId).execute()
  await expect.poll(name).toBe('Dawn')
})

test('an item page includes every change committed before a request with a token', async () => {
  const item = await givenItem(seller.userId)
  await get(item.page)
  for (const name of ['Dawn', 'Noon', 'Night']) {
    await db.updateTable('item').set({ name }).where('id', '=', item.itemId).execute()
    expect(await get(item.page)).toMatchObject({ name })
  }
  await db.updateTable('itemHistory').set({ priceCents: 777 }).where('itemId', '=', item.itemId).execute()
  expect((await get(item.page)).history.map(({ price }: { price: number }) => price)).toContain(7.77)
  await db
    .updateTable('item')
    .set({ hiddenAt: new Date(), hiddenBy: 'operator', forSale: false })
    .where('id', '=', item.itemId)
    .execute()
  expect(await get(item.page)).toMatchObject({ code: 'item_not_found' })
})

test('the history shows the current usernames of former owners', async () => {
  const former = await givenAccount({ wallet: wallet() })
  const item = await givenItem(seller.userId)
  await moveToken(item, { ownerId: former.userId, wallet: former.wallet, position: 200 })
  await moveToken(item, { ownerId: seller.userId, wallet: wallet(), position: 300 })
  const names = async () => (await get(item.page)).history.map(({ username }: { username: string }) => username)
  expect(await names()).toContain(former.username)
  await consume(messageOf(accountChanged, { ...former, version: 2, username: '@renamed' }))
  expect(await names()).toContain('@renamed')
  expect(await names()).not.toContain(former.username)
})

test('a request with the current ETag gets a 304', async () => {
  const item = await givenItem(seller.userId)
  const { etag } = (await app.inject(item.page)).headers
  const again = await app.inject({ url: item.page, headers: { 'if-none-match': String(etag) } })
  expect([again.statusCode, again.body]).toEqual([304, ''])
})

test('a contract address is accepted with checksum, in lower and in upper case; a mistyped letter is a 404', async () => {
  const item = await givenItem(seller.userId)
  const digits = item.contract.slice(2)
  const mistyped = digits.replace(/[a-f]/, (letter) => letter.toUpperCase())
  const responses = [digits, digits.toLowerCase(), digits.toUpperCase(), mistyped].map((written) =>
    app.inject(`/api/nfts/@anyone/0x${written}/${item.identifier}`),
  )
  expect((await Promise.all(responses)).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 404])
})
