import { deliveryFinal, deliveryStarted } from '@nifty/events/minting'
import { orderLineAuthorised } from '@nifty/events/payments'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { authorise, deliveryOf, givenWork, orderOf, untilState } from '../testing/fixtures.ts'
import { startTestMinting } from '../testing/minting.ts'

// Each test stops the service at another step, and starts it on the same database and chain.
const minting = await startTestMinting({ transactions: { bumpAfterMs: 300 } })
const { chain, db, published, until, transport } = minting
const { proxy } = chain

const givenOrder = async () => {
  const work = await givenWork(minting)
  const buyer = (await chain.newWallet()).address
  return { work, buyer, order: orderOf(work, { wallet: buyer }) }
}

/** One delivery, one event, and no nonce used twice or left out. */
async function expectOneDelivery({ work, buyer, order }: Awaited<ReturnType<typeof givenOrder>>) {
  const { lineId } = order
  await untilState(minting, lineId, 'final')
  const finals = () => published(deliveryFinal).filter((delivery) => delivery.lineId === lineId)
  await until(() => finals().length > 0)
  expect(new Set(finals().map(({ txHash }) => txHash)).size).toBe(1)
  expect(published(deliveryStarted).filter((delivery) => delivery.lineId === lineId)).toHaveLength(1)
  expect(await chain.ownerOf(work.identifier)).toBe(buyer)
  await until(async () => (await openCount()) === 0)
  const nonces = (await db.selectFrom('chainTransaction').select('nonce').orderBy('nonce').execute()).map(
    (t) => t.nonce,
  )
  expect(nonces).toEqual(nonces.map((_, index) => index))
  expect(await chain.provider.getTransactionCount(chain.signer.address)).toBe(nonces.length)
}
const openCount = async () =>
  (await db.selectFrom('chainTransaction').select('id').where('state', '<>', 'final').execute()).length

test('killed after the order event was consumed: the line is delivered once', async () => {
  const scene = await givenOrder()
  proxy.fail({ '*': 'before' })
  await minting.consume(orderLineAuthorised, scene.order)
  await minting.stop()
  proxy.heal()
  await minting.start()
  await expectOneDelivery(scene)
})

test('killed with an uncommitted nonce: the nonce is used by the next transaction', async () => {
  const scene = await givenOrder()
  const before = await db.selectFrom('signer').select('nextNonce').executeTakeFirstOrThrow()
  const blocker = await db.startTransaction().execute()
  await sql`lock table outbox in share row exclusive mode`.execute(blocker)
  await minting.consume(orderLineAuthorised, scene.order)
  await until(async () => {
    const { rows } = await sql<{ pid: number }>`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query ~ '^\\s*insert into outbox'`.execute(db)
    return rows.length > 0
  })
  expect(await db.selectFrom('signer').select('nextNonce').executeTakeFirstOrThrow()).toEqual(before)
  await blocker.rollback().execute()
  await expectOneDelivery(scene)
})

test('killed between signing and the first broadcast: the stored bytes are broadcast after the restart', async () => {
  const scene = await givenOrder()
  proxy.fail({ eth_sendRawTransaction: 'before' })
  await minting.consume(orderLineAuthorised, scene.order)
  await untilState(minting, scene.order.lineId, 'signed')
  await minting.stop()
  proxy.heal()
  await minting.start()
  await expectOneDelivery(scene)
})

test('killed after a broadcast whose response was lost: no second nonce is used', async () => {
  const scene = await givenOrder()
  proxy.fail({ eth_sendRawTransaction: 'after' })
  await minting.consume(orderLineAuthorised, scene.order)
  await untilState(minting, scene.order.lineId, 'signed')
  await until(async () => (await chain.ownerOf(scene.work.identifier)) === scene.buyer, { mining: false })
  await minting.stop()
  proxy.heal()
  await minting.start()
  await expectOneDelivery(scene)
})

test('killed with a mined transaction that is not final: it is finalized after the restart', async () => {
  const scene = await givenOrder()
  await minting.consume(orderLineAuthorised, scene.order)
  await untilState(minting, scene.order.lineId, 'signed')
  const { transactionId } = await deliveryOf(minting, scene.order.lineId)
  const mined = db.selectFrom('chainTransaction').select('id').where('state', '=', 'mined')
  await until(() => mined.where('id', '=', transactionId).executeTakeFirst(), { mining: false })
  expect((await deliveryOf(minting, scene.order.lineId)).state).toBe('signed')
  await minting.stop()
  await minting.start()
  await expectOneDelivery(scene)
})

test('killed with an unpublished delivery-final: it is published after the restart', async () => {
  const scene = await givenOrder()
  await minting.consume(orderLineAuthorised, scene.order)
  await untilState(minting, scene.order.lineId, 'signed')
  const { publish } = transport
  transport.publish = () => Promise.reject(new Error('the transport is down'))
  await untilState(minting, scene.order.lineId, 'final')
  expect(published(deliveryFinal).some(({ lineId }) => lineId === scene.order.lineId)).toBe(false)
  await minting.stop()
  transport.publish = publish
  await minting.start()
  await expectOneDelivery(scene)
})

test('a redelivered order event after the final delivery changes nothing', async () => {
  const scene = await givenOrder()
  await minting.consume(orderLineAuthorised, scene.order, scene.order.lineId)
  await expectOneDelivery(scene)
  await minting.stop()
  await minting.start()
  await minting.consume(orderLineAuthorised, scene.order, scene.order.lineId)
  await minting.consume(orderLineAuthorised, scene.order)
  await expectOneDelivery(scene)
})

test('killed between storing and broadcasting a fee bump: one attempt is mined, and the nonce is used once', async () => {
  const scene = await givenOrder()
  await chain.mineEachTransaction(false)
  await minting.consume(orderLineAuthorised, scene.order)
  await untilState(minting, scene.order.lineId, 'signed', { mining: false })
  const { transactionId } = await deliveryOf(minting, scene.order.lineId)
  await until(async () => (await chain.provider.send('txpool_status', [])).pending !== '0x0', { mining: false })
  proxy.fail({ eth_sendRawTransaction: 'before' })
  await chain.provider.send('anvil_setNextBlockBaseFeePerGas', ['0x174876e800'])
  await minting.callInternal('/internal/ops/retry-delivery', {
    lineId: scene.order.lineId,
    reason: 'a test',
  })
  const attempts = () => db.selectFrom('attempt').selectAll().where('transactionId', '=', transactionId).execute()
  await until(async () => (await attempts()).length >= 2, { mining: false })
  await minting.stop()
  proxy.heal()
  await minting.start()
  await chain.mineEachTransaction(true)
  await expectOneDelivery(scene)
})

test('a delivery mined during a downtime is found after the restart', async () => {
  const work = await givenWork(minting)
  const buyer = (await chain.newWallet()).address
  const order = await authorise(minting, work, { wallet: buyer })
  await untilState(minting, order.lineId, 'signed', { mining: false })
  await minting.stop()
  await chain.mine(5)
  await minting.start()
  await expectOneDelivery({ work, buyer, order })
})

test('logs that the node omitted are read again once the receipt is final', async () => {
  const scene = await givenOrder()
  proxy.hideLogs()
  await minting.consume(orderLineAuthorised, scene.order)
  await untilState(minting, scene.order.lineId, 'signed')
  const { transactionId } = await deliveryOf(minting, scene.order.lineId)
  const mined = db.selectFrom('chainTransaction').select('minedBlock').where('id', '=', transactionId)
  const isIndexed = db.selectFrom('chainCursor').select('block').where('block', '>=', mined)
  await until(() => isIndexed.executeTakeFirst())
  expect((await deliveryOf(minting, scene.order.lineId)).state).toBe('signed')

  proxy.heal()
  await expectOneDelivery(scene)
})
