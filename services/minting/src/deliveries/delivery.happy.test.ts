import { deliveryFinal, deliveryStarted, tokenMinted, tokenMoved } from '@nifty/events/minting'
import { orderLineAuthorised } from '@nifty/events/payments'
import { expect, test } from 'vitest'
import { authorise, deliveryOf, givenAcceptedMint, givenWork, orderOf, untilState } from '../testing/fixtures.ts'
import { startTestMinting } from '../testing/minting.ts'
import { acceptDelivery } from './delivery.actions.ts'

const minting = await startTestMinting()
const { chain, published, until } = minting

test('a mint publishes token-minted, then token-moved with the creator as owner', async () => {
  const work = await givenWork(minting)

  expect(await chain.ownerOf(work.identifier)).toBe(chain.delivery)
  expect(published(tokenMinted)).toMatchObject([{ token: work.token, itemId: work.itemId, creatorId: work.creatorId }])
  expect(published(tokenMoved)).toMatchObject([{ token: work.token, ownerId: work.creatorId, wallet: null }])
  const names = minting.messages.map(({ name }) => name)
  expect(names).toEqual(['minting.token-minted.v1', 'minting.token-moved.v1'])
})

test('a paid work is delivered to the buyer’s wallet, and its events are published in order', async () => {
  const work = await givenWork(minting)
  const buyer = await chain.newWallet()
  const line = await authorise(minting, work, { wallet: buyer.address })
  await untilState(minting, line.lineId, 'final')
  await until(() => published(deliveryFinal).length > 0)

  expect(await chain.ownerOf(work.identifier)).toBe(buyer.address)
  const names = minting.messages.filter(({ key }) => key === work.token).map(({ name }) => name)
  expect(names).toEqual([
    'minting.token-minted.v1',
    'minting.token-moved.v1',
    'minting.delivery-started.v1',
    'minting.token-moved.v1',
    'minting.delivery-final.v1',
  ])
  const { lineId, orderId, itemId, buyerId } = line
  const { txHash } = await deliveryOf(minting, lineId)
  expect(published(deliveryStarted)).toMatchObject([{ lineId, orderId, itemId, txHash }])
  expect(published(deliveryFinal)).toMatchObject([{ lineId, orderId, itemId, buyerId, wallet: buyer.address, txHash }])
  expect(published(tokenMoved).at(-1)).toMatchObject({ ownerId: buyerId, wallet: buyer.address })
})

test('an order event consumed five times is delivered once', async () => {
  const work = await givenWork(minting)
  const { address: wallet } = await chain.newWallet()
  const line = await authorise(minting, work, { wallet })
  for (let time = 0; time < 4; time++) await minting.consume(orderLineAuthorised, line)
  await untilState(minting, line.lineId, 'final')
  await until(() => published(deliveryFinal).some(({ lineId }) => lineId === line.lineId))
  for (let time = 0; time < 4; time++) await minting.consume(orderLineAuthorised, line)

  expect(published(deliveryStarted).filter(({ lineId }) => lineId === line.lineId)).toHaveLength(1)
  expect(published(deliveryFinal).filter(({ lineId }) => lineId === line.lineId)).toHaveLength(1)
  expect(await minting.db.selectFrom('delivery').where('token', '=', work.token).selectAll().execute()).toHaveLength(1)
})

test('sixty works are minted in a few transactions', async () => {
  const before = await chain.provider.getTransactionCount(chain.signer.address)
  await minting.stop()
  for (let work = 0; work < 60; work++) await givenAcceptedMint(minting)
  await minting.start()
  await until(async () => {
    const open = await minting.db.selectFrom('mint').select('id').where('state', '<>', 'minted').execute()
    return open.length === 0
  })

  expect((await chain.provider.getTransactionCount(chain.signer.address)) - before).toBe(2)
})

test('waiting deliveries share a transaction', async () => {
  const works = [await givenWork(minting), await givenWork(minting), await givenWork(minting)]
  await minting.stop()
  const lines = []
  for (const work of works) {
    const line = orderOf(work, { wallet: (await chain.newWallet()).address })
    await minting.db.transaction().execute((trx) => acceptDelivery(trx, line, []))
    lines.push(line)
  }
  await minting.start()
  for (const { lineId } of lines) await untilState(minting, lineId, 'final')

  const hashes = await Promise.all(lines.map(async ({ lineId }) => (await deliveryOf(minting, lineId)).txHash))
  expect(new Set(hashes).size).toBe(1)
})
