import { deliveryFinal } from '@nifty/events/minting'
import { waitForBlockedQuery } from '@nifty/service-kit/testing/blocked-query'
import { toQuantity } from 'ethers'
import { beforeEach, expect, test } from 'vitest'
import { lockCursor } from '../chain-index/cursor.store.ts'
import { lockDelivery } from '../deliveries/delivery.store.ts'
import { authorise, deliveryOf, givenWork, untilState } from '../testing/fixtures.ts'
import { startTestMinting, type TestMinting } from '../testing/minting.ts'

let minting: TestMinting

beforeEach(async () => {
  const ends: (() => Promise<void>)[] = []
  minting = await startTestMinting({ finalityDepth: 4, cleanUp: (end) => ends.unshift(end) })
  return async () => {
    for (const end of ends) await end()
  }
})

const transactions = () => minting.db.selectFrom('chainTransaction').selectAll().orderBy('nonce').execute()
const reorg = (depth: number, pairs: unknown[] = []) => minting.chain.provider.send('anvil_reorg', [depth, pairs])

/** An order whose delivery is in a block that is not final. */
async function givenMinedDelivery() {
  const work = await givenWork(minting)
  await minting.until(async () => (await transactions()).every(({ state }) => state === 'final'))
  const buyer = (await minting.chain.newWallet()).address
  const order = await authorise(minting, work, { wallet: buyer })
  await minting.until(async () => (await transactions()).at(-1)?.state === 'mined', { mining: false })
  return { work, buyer, order }
}

test('a delivery removed by a reorg is broadcast again and published once', async () => {
  const { work, buyer, order } = await givenMinedDelivery()
  const { transactionId } = await deliveryOf(minting, order.lineId)
  await reorg(1)
  expect(await minting.chain.ownerOf(work.identifier)).not.toBe(buyer)

  await untilState(minting, order.lineId, 'final')
  await minting.until(() => minting.published(deliveryFinal).length > 0)
  expect(await minting.chain.ownerOf(work.identifier)).toBe(buyer)
  expect(minting.published(deliveryFinal)).toHaveLength(1)
  expect((await deliveryOf(minting, order.lineId)).transactionId).toBe(transactionId)
})

test('killed during a reorg: the delivery is broadcast again after the restart', async () => {
  const { work, buyer, order } = await givenMinedDelivery()
  await minting.stop()
  await reorg(1)
  await minting.start()
  await untilState(minting, order.lineId, 'final')
  expect(await minting.chain.ownerOf(work.identifier)).toBe(buyer)
})

test('a transaction dropped by the node is broadcast again', async () => {
  const work = await givenWork(minting)
  await minting.chain.mineEachTransaction(false)
  const buyer = (await minting.chain.newWallet()).address
  const order = await authorise(minting, work, { wallet: buyer })
  const pool = async () => Number((await minting.chain.provider.send('txpool_status', [])).pending)
  await minting.until(async () => (await pool()) > 0, { mining: false })
  await minting.chain.provider.send('anvil_dropAllTransactions', [])
  await minting.until(async () => (await pool()) > 0, { mining: false })
  await untilState(minting, order.lineId, 'final')
  expect(await minting.chain.ownerOf(work.identifier)).toBe(buyer)
})

test('a receipt that the node does not find for a while halts no signer, and no delivery is signed twice', async () => {
  const { buyer, work, order } = await givenMinedDelivery()
  const signed = (await transactions()).length
  const { chain } = minting
  chain.proxy.respond({ eth_getTransactionReceipt: null })
  await chain.mine(5)
  await minting.until(async () => (await transactions()).at(-1)?.receiptMissingSince !== null, { mining: false })
  await minting.untilPolled(20, { mining: false })
  chain.proxy.heal()

  await untilState(minting, order.lineId, 'final')
  await minting.until(async () => (await transactions()).every(({ state }) => state === 'final'))
  const halted = await minting.db.selectFrom('signer').select('haltedReason').execute()
  expect(halted).toEqual([{ haltedReason: null }])
  expect(await chain.ownerOf(work.identifier)).toBe(buyer)
  expect((await transactions()).map(({ outcome }) => outcome)).toEqual(Array(signed).fill('succeeded'))
})

test('a foreign transaction on a nonce halts the signer; after resume-signer the delivery is done once', async () => {
  const { work, buyer, order } = await givenMinedDelivery()
  const taken = (await transactions()).at(-1)!
  const { chain } = minting
  const rival = await chain.signer.signTransaction({
    type: 2,
    chainId: 31337,
    nonce: taken.nonce,
    to: chain.owner.address,
    value: 1n,
    gasLimit: 21_000n,
    maxFeePerGas: 10n ** 11n,
    maxPriorityFeePerGas: 10n ** 9n,
  })
  await reorg(1, [[rival, 0]])
  await minting.until(async () => (await signer()).haltedReason !== null)
  expect((await signer()).haltedReason).toContain(`Nonce ${taken.nonce}`)
  expect((await deliveryOf(minting, order.lineId)).state).toBe('signed')
  expect(minting.published(deliveryFinal)).toEqual([])
  const { status } = await minting.callInternal('/internal/deliverable', {
    tokens: [{ token: work.token, ownerId: work.creatorId }],
  })
  expect(status).toBe(503)

  // Meanwhile the index applies a block.
  await minting.until(isIndexed, { mining: false })
  const index = await minting.db.startTransaction().execute()
  await lockCursor(index, chain.collection)
  const resuming = minting.callInternal('/internal/ops/resume-signer', {
    address: chain.signer.address,
    reason: 'a test',
  })
  await waitForBlockedQuery(minting.db)
  await lockDelivery(index, order.lineId)
  await index.commit().execute()
  const resumed = await resuming
  expect(resumed.body).toMatchObject({ lost: 1, nextNonce: taken.nonce + 1 })
  await untilState(minting, order.lineId, 'final')
  expect(await chain.ownerOf(work.identifier)).toBe(buyer)
})

async function isIndexed() {
  const { index } = (await minting.callInternal('/internal/ops/status')).body
  return index.block === index.finalBlock
}
const signer = async () => (await minting.callInternal('/internal/ops/status')).body.signers[0]

test('resume-signer gives up no transaction that is in a block', async () => {
  const { order } = await givenMinedDelivery()
  const { chain, db } = minting
  chain.proxy.fail({ eth_getLogs: 'before' })
  await chain.mine(5)
  await db.updateTable('signer').set({ haltedReason: 'a test', haltedAt: new Date() }).execute()
  const resumed = await minting.callInternal('/internal/ops/resume-signer', {
    address: chain.signer.address,
    reason: 'a test',
  })
  expect(resumed.body).toMatchObject({ lost: 0 })
  chain.proxy.heal()
  await untilState(minting, order.lineId, 'final')
})

test('resume-signer gives up no transaction that was finalized since it read its receipts', async () => {
  const { order } = await givenMinedDelivery()
  const { chain, db } = minting
  chain.proxy.respond({ eth_getTransactionReceipt: null })
  await chain.mine(6)
  await untilState(minting, order.lineId, 'final', { mining: false })
  await minting.until(isIndexed, { mining: false })
  await db.updateTable('signer').set({ haltedReason: 'a test', haltedAt: new Date() }).execute()
  const holding = await db.startTransaction().execute()
  await lockCursor(holding, chain.collection)
  const resuming = minting.callInternal('/internal/ops/resume-signer', {
    address: chain.signer.address,
    reason: 'a test',
  })
  await waitForBlockedQuery(db)
  chain.proxy.heal()
  await minting.until(async () => (await transactions()).at(-1)!.state === 'final', { mining: false })
  await holding.commit().execute()

  expect((await resuming).body).toMatchObject({ lost: 0 })
  expect((await transactions()).at(-1)!.outcome).toBe('succeeded')
})

test('a reorg past finality halts the index and the signer, and stops no line', async () => {
  const { order } = await givenMinedDelivery()
  await untilState(minting, order.lineId, 'final')
  await minting.chain.provider.send('anvil_mine', [toQuantity(3)])
  await minting.until(isIndexed, { mining: false })
  await reorg(9)
  await minting.until(async () => (await minting.callInternal('/internal/ops/status')).body.index.haltedReason)
  expect((await signer()).haltedReason).toContain('was final')
  // The block that a halted index has read last proves nothing, even if it is beyond the final one.
  await minting.db
    .updateTable('chainCursor')
    .set(({ eb }) => ({ block: eb('block', '+', 100) }))
    .execute()
  const stop = { orderId: order.orderId, reason: 'cancelled' }
  const stopped = await minting.callInternal(`/internal/deliveries/${crypto.randomUUID()}/stop`, stop)
  expect(stopped.body).toEqual({ stopped: false, pending: true })
})
