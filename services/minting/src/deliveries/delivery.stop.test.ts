import { randomUUID } from 'node:crypto'
import { deliveryStarted } from '@nifty/events/minting'
import { orderLineAuthorised } from '@nifty/events/payments'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { authorise, deliveryOf, givenWork, orderOf, untilState } from '../testing/fixtures.ts'
import { startTestMinting } from '../testing.ts'
import { acceptDelivery, stopDelivery } from './delivery.actions.ts'
import { lockDelivery } from './delivery.store.ts'

const minting = await startTestMinting()
const { chain, db, until } = minting

const stop = async (lineId: string) =>
  (await minting.ask(`/internal/deliveries/${lineId}/stop`, { orderId: randomUUID(), reason: 'cancelled' })).body

/** Of those who sign and stop: whoever forgets old messages may wait for the same table. */
const untilWaiting = (count: number) =>
  until(async () => {
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query not ilike '%delete from outbox%'`.execute(
      db,
    )
    return rows.length >= count
  })

const newOrder = async () => orderOf(await givenWork(minting), { wallet: (await chain.newWallet()).address })

test('a line that was stopped is never signed, and the answer stays the same', async () => {
  const order = await newOrder()
  expect(await stop(order.lineId)).toEqual({ stopped: true })
  await minting.hear(orderLineAuthorised, order)
  expect(await stop(order.lineId)).toEqual({ stopped: true })
  expect((await deliveryOf(minting, order.lineId)).state).toBe('stopped')
})

test('a signed line is not stopped', async () => {
  const work = await givenWork(minting)
  const order = await authorise(minting, work, { wallet: (await chain.newWallet()).address })
  await untilState(minting, order.lineId, 'signed', { mining: false })
  expect(await stop(order.lineId)).toEqual({ stopped: false })
  await untilState(minting, order.lineId, 'final')
  expect(await stop(order.lineId)).toEqual({ stopped: false })
})

test('who stops first wins: the signature that waits for the lock is not made, and its nonce not used', async () => {
  const order = await newOrder()
  await minting.stop()
  await db.transaction().execute((trx) => acceptDelivery(trx, order, []))
  const stopping = await db.startTransaction().execute()
  await lockDelivery(stopping, order.lineId)
  const before = await db.selectFrom('signer').select('nextNonce').executeTakeFirstOrThrow()
  await minting.start()
  await untilWaiting(1)
  expect(await stopDelivery(stopping, { lineId: order.lineId, reason: 'cancelled' })).toBe(true)
  await stopping.commit().execute()

  const asked = chain.proxy.asked.length
  await until(() => chain.proxy.asked.length > asked + 20)
  expect(minting.said(deliveryStarted).some(({ lineId }) => lineId === order.lineId)).toBe(false)
  expect((await deliveryOf(minting, order.lineId)).state).toBe('stopped')
  expect(await db.selectFrom('signer').select('nextNonce').executeTakeFirstOrThrow()).toEqual(before)
})

test('who signs first wins: the stop that waits for the lock is told so', async () => {
  const order = await newOrder()
  await minting.stop()
  await db.transaction().execute((trx) => acceptDelivery(trx, order, []))
  // Held until the service has signed and stands before the announcement.
  const blocker = await db.startTransaction().execute()
  await sql`lock table outbox in share row exclusive mode`.execute(blocker)
  await minting.start()
  await untilWaiting(1)
  const stopping = stop(order.lineId)
  await untilWaiting(2)
  await blocker.rollback().execute()
  expect(await stopping).toEqual({ stopped: false })
  await untilState(minting, order.lineId, 'final')
})

test('neighbours need the secret, a line is a uuid, and a reason is one of two', async () => {
  const wrong = await minting.ask('/internal/deliveries/nope/stop', { orderId: randomUUID(), reason: 'cancelled' })
  expect(wrong.status).toBe(400)
  const reason = await minting.ask(`/internal/deliveries/${randomUUID()}/stop`, { orderId: randomUUID(), reason: 'x' })
  expect(reason.status).toBe(400)
})
