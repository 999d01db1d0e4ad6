import { randomUUID } from 'node:crypto'
import { deliveryStarted } from '@nifty/events/minting'
import { orderLineAuthorised, orderLineReleased } from '@nifty/events/payments'
import { waitForBlockedQuery } from '@nifty/service-kit/testing/blocked-query'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { authorise, deliveryOf, givenWork, orderOf, untilCancelSent, untilState } from '../testing/fixtures.ts'
import { startTestMinting } from '../testing/minting.ts'
import { acceptDelivery, stopDelivery } from './delivery.actions.ts'
import { endDeadline, lockDelivery } from './delivery.store.ts'

const minting = await startTestMinting()
const { chain, db } = minting

const stop = async (lineId: string) =>
  (await minting.callInternal(`/internal/deliveries/${lineId}/stop`, { orderId: randomUUID(), reason: 'cancelled' }))
    .body

/** The worker that deletes old messages may block as well. */
const waitForBlocked = (count: number) => waitForBlockedQuery(db, { count, except: '%delete from outbox%' })

const givenOrder = async () => orderOf(await givenWork(minting), { wallet: (await chain.newWallet()).address })

test('a stopped line is never signed, and stop is idempotent', async () => {
  const order = await givenOrder()
  expect(await stop(order.lineId)).toEqual({ stopped: true })
  await minting.consume(orderLineAuthorised, order)
  expect(await stop(order.lineId)).toEqual({ stopped: true })
  expect((await deliveryOf(minting, order.lineId)).state).toBe('stopped')
})

test('a buyer does not stop a signed line', async () => {
  const work = await givenWork(minting)
  const order = await authorise(minting, work, { wallet: (await chain.newWallet()).address })
  await untilState(minting, order.lineId, 'signed', { mining: false })
  expect(await stop(order.lineId)).toEqual({ stopped: false })
  await untilState(minting, order.lineId, 'final')
  const { token, wallet } = order
  expect(await stop(order.lineId)).toEqual({
    stopped: false,
    delivered: { token, wallet, keptFor: null, txHash: (await deliveryOf(minting, order.lineId)).txHash },
  })
})

test('stop before sign: the waiting signature is not made, and no nonce is used', async () => {
  const order = await givenOrder()
  await minting.stop()
  await db.transaction().execute((trx) => acceptDelivery(trx, order, []))
  const stopping = await db.startTransaction().execute()
  await lockDelivery(stopping, order.lineId)
  const before = await db.selectFrom('signer').select('nextNonce').executeTakeFirstOrThrow()
  await minting.start()
  await waitForBlocked(1)
  expect(await stopDelivery(stopping, { lineId: order.lineId, whenSigned: 'cancel' })).toEqual({ stopped: true })
  await stopping.commit().execute()

  await minting.untilPolled(20)
  expect(minting.published(deliveryStarted).some(({ lineId }) => lineId === order.lineId)).toBe(false)
  expect((await deliveryOf(minting, order.lineId)).state).toBe('stopped')
  expect(await db.selectFrom('signer').select('nextNonce').executeTakeFirstOrThrow()).toEqual(before)
})

test('a line that is overdue before it is signed gets no signature, and no nonce is used', async () => {
  const order = await givenOrder()
  await minting.stop()
  await db.transaction().execute((trx) => acceptDelivery(trx, order, []))
  const delaying = await db.startTransaction().execute()
  await lockDelivery(delaying, order.lineId)
  const before = await db.selectFrom('signer').select('nextNonce').executeTakeFirstOrThrow()
  await minting.start()
  await waitForBlocked(1)
  await endDeadline(delaying, order.lineId)
  await delaying.commit().execute()

  await untilState(minting, order.lineId, 'failed')
  expect(minting.published(deliveryStarted).some(({ lineId }) => lineId === order.lineId)).toBe(false)
  expect(await db.selectFrom('signer').select('nextNonce').executeTakeFirstOrThrow()).toEqual(before)
})

test('sign before stop: the waiting stop returns false', async () => {
  const order = await givenOrder()
  await minting.stop()
  await db.transaction().execute((trx) => acceptDelivery(trx, order, []))
  // Blocks the service between the signature and the event.
  const blocker = await db.startTransaction().execute()
  await sql`lock table outbox in share row exclusive mode`.execute(blocker)
  await minting.start()
  await waitForBlocked(1)
  const stopping = stop(order.lineId)
  await waitForBlocked(2)
  await blocker.rollback().execute()
  expect(await stopping).toEqual({ stopped: false })
  await untilState(minting, order.lineId, 'final')
})

test('an order line that payments released is stopped although it is signed', async () => {
  const work = await givenWork(minting)
  await chain.mineEachTransaction(false)
  const order = await authorise(minting, work, { wallet: (await chain.newWallet()).address })
  await untilState(minting, order.lineId, 'signed', { mining: false })
  const { deliverBy: _, wallet: __, ...line } = order
  await minting.consume(orderLineReleased, { ...line, reason: 'cancelled', moneyWasHeld: true })
  await untilCancelSent(minting, order.lineId)
  await untilState(minting, order.lineId, 'failed')
  expect(await chain.ownerOf(work.identifier)).toBe(chain.delivery)
  await chain.mineEachTransaction(true)
})

test('a line id that is no uuid and an unknown reason are a 400', async () => {
  const wrong = await minting.callInternal('/internal/deliveries/nope/stop', {
    orderId: randomUUID(),
    reason: 'cancelled',
  })
  expect(wrong.status).toBe(400)
  const reason = await minting.callInternal(`/internal/deliveries/${randomUUID()}/stop`, {
    orderId: randomUUID(),
    reason: 'x',
  })
  expect(reason.status).toBe(400)
})
