import { randomUUID } from 'node:crypto'
import { accountChanged, accountDeleted } from '@nifty/events/auth'
import { deliveryFinal, tokenMinted } from '@nifty/events/minting'
import { listOperatorActions } from '@nifty/service-kit/database/operator-audit'
import { messageOf } from '@nifty/service-kit/testing/events'
import { expect, test } from 'vitest'
import { at, contract, type Mint, type Order, orderFor, startTestCatalog, txHash, wallet } from './testing.ts'

const { put, post, get, db, consume, givenAccount, givenItem, moveToken, published, market } = await startTestCatalog()
const seller = await givenAccount({ admin: true, firstName: 'Vera' })

const deliver = ({ orderId, buyerId }: Order, { itemId, token }: Mint, hash = txHash()) =>
  consume(
    messageOf(deliveryFinal, {
      lineId: randomUUID(),
      orderId,
      itemId,
      token,
      buyerId,
      at,
      wallet: wallet(),
      txHash: hash,
      block: 7,
    }),
  )

test('an item minted with a price is listed once, although the event is consumed twice', async () => {
  const item = await givenItem(seller.userId)
  const { path, page, ...mint } = item
  await consume(messageOf(tokenMinted, { ...mint, name: 'Another' }))
  expect(await get(page)).toMatchObject({ name: 'Dusk', forSale: true, price: 120, custody: true, royaltyPercent: 5 })
  expect((await published(item.itemId)).map(({ name }) => name)).toEqual(['catalog.item-listed.v1'])
  expect((await get(page)).history.map(({ what }: { what: string }) => what).sort()).toEqual(['listed', 'minted'])
})

test('an item of an account that may not sell is listed once it may', async () => {
  const account = await givenAccount()
  const item = await givenItem(account.userId)
  expect(await get(item.page)).toMatchObject({ forSale: false, price: 120 })
  await consume(messageOf(accountChanged, { ...account, version: 2, admin: true }))
  expect((await get(item.page)).forSale).toBe(true)
})

test('an account whose event is consumed after its item becomes the visible owner', async () => {
  const userId = randomUUID()
  const item = await givenItem(userId, { name: 'Harbour' })
  expect(await get(item.page)).toMatchObject({ owner: null, ownerUsername: null, forSale: false, creator: null })
  await givenAccount({ userId, username: '@late', firstName: 'Zoë', admin: true })
  expect(await get(item.page)).toMatchObject({ ownerUsername: '@late', ownerFirstName: 'Zoë', forSale: true })
  expect((await market('?search=zoë')).nfts).toMatchObject([{ name: 'Harbour' }])
})

test('an item minted into a wallet is not for sale before its owner signed a permit', async () => {
  const item = await givenItem(seller.userId, {}, { inWallet: wallet() })
  expect(await get(item.page)).toMatchObject({ forSale: false, price: 120, custody: false })
})

test('a move that is consumed before the mint counts', async () => {
  const buyer = await givenAccount()
  const identifier = '123456789'
  const token = `${contract.toLowerCase()}/${identifier}`
  await moveToken({ token, contract, identifier }, { ownerId: buyer.userId, wallet: wallet(), position: 300 })
  const item = await givenItem(seller.userId, { token, identifier })
  expect(await get(item.page)).toMatchObject({ ownerUsername: buyer.username, forSale: false, custody: false })
})

test('an older move does not undo a newer one', async () => {
  const [first, second] = [await givenAccount(), await givenAccount()]
  const item = await givenItem(seller.userId)
  await moveToken(item, { ownerId: second.userId, position: 900 })
  await moveToken(item, { ownerId: first.userId, position: 800 })
  expect((await get(item.page)).ownerUsername).toBe(second.username)
})

test('a token that leaves for an unknown wallet has an unknown owner and is not for sale', async () => {
  const item = await givenItem(seller.userId)
  await moveToken(item, { ownerId: null, wallet: wallet() })
  expect(await get(item.page)).toMatchObject({
    owner: null,
    ownerUsername: null,
    ownerFirstName: null,
    ownerLastName: null,
    ownerAvatar: null,
    forSale: false,
  })
  expect((await put(seller.userId, `${item.path}/set-price`, { price: 5, forSale: true })).statusCode).toBe(403)
})

test.each(['delivery first', 'move first'])('a sale closes the reservation and moves the item (%s)', async (first) => {
  const buyer = await givenAccount()
  const item = await givenItem(seller.userId)
  const order = orderFor([item], { buyerId: buyer.userId })
  await post('/internal/reservations', order)
  const hash = txHash()
  const move = () => moveToken(item, { ownerId: buyer.userId, wallet: order.buyerWallet, txHash: hash })

  if (first === 'move first') await move()
  await deliver(order, item, hash)
  if (first === 'delivery first') {
    expect(await get(item.page)).toMatchObject({ ownerUsername: seller.username, forSale: false, reserved: false })
    await move()
  }
  await deliver(order, item, hash)

  const after = await get(item.page)
  expect(after).toMatchObject({ ownerUsername: buyer.username, forSale: false, reserved: false, reservedUntil: null })
  expect(after.history.filter(({ txHash: of }: { txHash: string }) => of === hash)).toEqual([
    { what: 'sold', at, username: buyer.username, price: 120, txHash: hash, custody: null },
  ])
  const delistings = (await published(item.itemId)).filter(({ name }) => name === 'catalog.item-delisted.v1')
  expect(delistings).toMatchObject([{ reason: 'sold' }])
  expect((await get(`/api/nfts/user/${buyer.username}`)).nfts).toMatchObject([{ _id: item.itemId }])
})

test.each(['move first', 'delivery first'])(
  'the history names custody after a sale into it (%s), and the withdrawal',
  async (first) => {
    const buyer = await givenAccount()
    const item = await givenItem(seller.userId)
    const order = orderFor([item], { buyerId: buyer.userId })
    await post('/internal/reservations', order)
    const hash = txHash()
    const move = () => moveToken(item, { ownerId: buyer.userId, wallet: null, txHash: hash })
    if (first === 'move first') await move()
    await deliver(order, item, hash)
    if (first === 'delivery first') await move()
    const newest = async (count: number) =>
      (await get(item.page)).history
        .filter(({ username }: { username: string }) => username === buyer.username)
        .map(({ what, custody }: { what: string; custody: string | null }) => [what, custody])
        .slice(0, count)
    expect(await newest(2)).toEqual([['sold', 'in']])

    await moveToken(item, { ownerId: buyer.userId, wallet: wallet(), position: 300 })
    expect((await newest(2)).sort()).toEqual([
      ['moved', 'out'],
      ['sold', 'in'],
    ])
    await moveToken(item, { ownerId: buyer.userId, wallet: wallet(), position: 400 })
    expect((await newest(3)).sort()).toEqual([
      ['moved', null],
      ['moved', 'out'],
      ['sold', 'in'],
    ])
  },
)

test('a listing that the buyer made before the sale is closed stays', async () => {
  const buyer = await givenAccount({ admin: true })
  const item = await givenItem(seller.userId)
  const order = orderFor([item], { buyerId: buyer.userId })
  await post('/internal/reservations', order)
  await moveToken(item, { ownerId: buyer.userId, wallet: order.buyerWallet })
  await put(buyer.userId, `${item.path}/set-price`, { price: 200, forSale: true })

  await deliver(order, item)

  const resale = { forSale: true, reserved: false, price: 200, ownerUsername: buyer.username }
  expect(await get(item.page)).toMatchObject(resale)
  expect((await published(item.itemId)).at(-1)).toMatchObject({ name: 'catalog.item-listed.v1' })
})

test('a sale counts for its seller once', async () => {
  const artist = await givenAccount({ admin: true })
  const item = await givenItem(artist.userId)
  const order = orderFor([item])
  await post('/internal/reservations', order)
  await deliver(order, item)
  await deliver(order, item)
  const { creators } = await get('/api/creators?sort=best')
  expect(creators.find(({ _id }: { _id: string }) => _id === artist.userId)).toMatchObject({ works: 1, sales: 1 })
})

test('a delivery of another order leaves the reservation alone', async () => {
  const item = await givenItem(seller.userId)
  await post('/internal/reservations', orderFor([item]))
  await deliver(orderFor([item]), item)
  expect((await get(item.page)).reserved).toBe(true)
})

test('an older version of an account changes nothing, a newer one all public fields', async () => {
  const account = await givenAccount({ version: 5, admin: true })
  const item = await givenItem(account.userId)
  await consume(messageOf(accountChanged, { ...account, version: 6, firstName: 'Nova', avatar: '/uploads/avatars/n' }))
  await consume(messageOf(accountChanged, { ...account, version: 4, firstName: 'Old' }))
  expect(await get(item.page)).toMatchObject({ ownerFirstName: 'Nova', ownerAvatar: '/uploads/avatars/n' })
  expect((await market('?search=NOVA')).nfts).toMatchObject([{ _id: item.itemId }])
})

test('a deleted account leaves no personal data, and a late event does not restore it', async () => {
  const { userId, username, email, firstName, ...rest } = await givenAccount({ firstName: 'Quentin', wallet: wallet() })
  const item = await givenItem(userId)
  await consume(messageOf(accountDeleted, { userId, username, email, firstName, at }))
  await consume(messageOf(accountChanged, { userId, username, email, firstName, ...rest, version: 9 }))
  expect(await get(item.page)).toMatchObject({ owner: null, creator: null, creatorUsername: null })
  expect((await market('?search=quentin')).total).toBe(0)
  expect(await db.selectFrom('account').selectAll().where('userId', '=', userId).execute()).toMatchObject([
    { username: null, firstName: '', lastName: '', wallet: null, avatar: null, description: '' },
  ])
})

test('an item hidden by an operator cannot be listed until it is shown again', async () => {
  const item = await givenItem(seller.userId)
  const hide = { reason: 'stolen picture' }
  expect((await post(`/internal/items/${item.itemId}/hide`, hide)).status).toBe(200)
  expect((await market(`?search=${item.identifier}`)).nfts).toEqual([])
  expect(await get(item.page)).toMatchObject({ message: 'NFT not found' })
  await post(`/internal/items/${item.itemId}/hide`, hide)
  expect((await published(item.itemId)).slice(-2)).toMatchObject([
    { reason: 'operator' },
    { name: 'catalog.item-hidden.v1', userId: seller.userId, reason: 'stolen picture' },
  ])
  const list = () => put(seller.userId, `${item.path}/set-price`, { price: 5, forSale: true })
  expect((await list()).statusCode).toBe(404)
  expect(await db.selectFrom('item').selectAll().where('id', '=', item.itemId).execute()).toMatchObject([
    { hiddenAt: expect.any(Date), forSale: false },
  ])
  await post(`/internal/items/${item.itemId}/show`, { reason: 'was his own' })
  expect((await list()).statusCode).toBe(200)
  expect(await listOperatorActions(db, [item.itemId])).toMatchObject([
    { action: 'hide-item', operator: 'ada', reason: 'stolen picture' },
    { action: 'hide-item', operator: 'ada', reason: 'stolen picture' },
    { action: 'show-item', operator: 'ada', reason: 'was his own' },
  ])
  expect((await post(`/internal/items/${randomUUID()}/hide`, hide)).status).toBe(404)
})

test('hiding a reserved item requests a delisting and keeps the reservation', async () => {
  const item = await givenItem(seller.userId)
  const order = orderFor([item])
  await post('/internal/reservations', order)
  await post(`/internal/items/${item.itemId}/hide`, { reason: 'report' })
  expect((await published(item.itemId)).some(({ name }) => name === 'catalog.delist-requested.v1')).toBe(true)
  expect((await post('/internal/reservations', order)).status).toBe(200)
})
