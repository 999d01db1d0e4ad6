import { deliveryFailed, deliveryFinal } from '@nifty/events/minting'
import { orderLineAuthorised } from '@nifty/events/payments'
import { expect, test } from 'vitest'
import { deliveryOf, givenWork, orderOf, untilState } from '../testing/fixtures.ts'
import { startTestMinting } from '../testing/minting.ts'
import { givenOtherSigner } from '../testing/other-signer.ts'
import { acceptDelivery } from './delivery.actions.ts'

const minting = await startTestMinting()
const { chain, db, published, until } = minting
/** Delivers as the store did in the time that a restored database does not have. */
const other = await givenOtherSigner(minting)

type Order = ReturnType<typeof orderOf>

const givenOrder = async ({ deliverBy }: { deliverBy?: Date } = {}) =>
  orderOf(await givenWork(minting), { wallet: (await chain.newWallet()).address, deliverBy })

const stop = async ({ lineId, orderId }: Order, reason: 'deadline' | 'cancelled' = 'deadline') =>
  (await minting.callInternal(`/internal/deliveries/${lineId}/stop`, { orderId, reason })).body

const failures = (lineId: string) => published(deliveryFailed).filter((failed) => failed.lineId === lineId)

test('a line past its deadline that the chain has delivered becomes final, and never fails', async () => {
  const order = await givenOrder({ deliverBy: new Date(Date.now() - 1_000) })
  await minting.stop()
  await db.transaction().execute((trx) => acceptDelivery(trx, order, []))
  await (await other.deliver(order)).wait()
  await chain.mine(5)
  await minting.start()

  await untilState(minting, order.lineId, 'final')
  expect(failures(order.lineId)).toEqual([])
  await until(() => published(deliveryFinal).find(({ lineId }) => lineId === order.lineId))
})

test('a late line is not stopped while the node answers neither calls nor log queries', async () => {
  const order = await givenOrder()
  chain.proxy.fail({ eth_getLogs: 'before', eth_call: 'before' })
  await minting.consume(orderLineAuthorised, order)
  await (await other.deliver(order)).wait()
  await chain.mine(5)
  expect(await stop(order)).toMatchObject({ stopped: false })
  expect((await deliveryOf(minting, order.lineId)).state).toBe('waiting')

  chain.proxy.heal()
  await untilState(minting, order.lineId, 'final')
  expect(await stop(order)).toMatchObject({ stopped: false, delivered: { token: order.token, wallet: order.wallet } })
  expect(failures(order.lineId)).toEqual([])
})

test('a line that only the chain knows gets no tombstone', async () => {
  const order = await givenOrder()
  await (await other.deliver(order)).wait()
  expect(await stop(order, 'cancelled')).toEqual({ stopped: false, pending: true })
  await chain.mine(5)
  const { token, wallet } = order
  await until(async () => (await stop(order, 'cancelled')).delivered)
  expect(await stop(order, 'cancelled')).toMatchObject({ stopped: false, delivered: { token, wallet } })

  await minting.consume(orderLineAuthorised, order)
  await untilState(minting, order.lineId, 'final')
})

test('nothing is stopped and nothing fails while the index is behind the final block', async () => {
  const [late, cancelled] = [await givenOrder({ deliverBy: new Date(Date.now() - 1_000) }), await givenOrder()]
  chain.proxy.fail({ eth_getLogs: 'before' })
  await chain.mine(5)
  await minting.consume(orderLineAuthorised, late)
  expect(await stop(cancelled, 'cancelled')).toEqual({ stopped: false, pending: true })
  await minting.untilPolled(30, { mining: false })
  expect(await stop(cancelled, 'cancelled')).toEqual({ stopped: false, pending: true })
  expect((await deliveryOf(minting, late.lineId)).state).toBe('waiting')

  chain.proxy.heal()
  await untilState(minting, late.lineId, 'failed', { mining: false })
  await until(async () => (await stop(cancelled, 'cancelled')).stopped, { mining: false })
})

test('a late order whose delivery the index has passed already becomes final', async () => {
  const order = await givenOrder({ deliverBy: new Date(Date.now() - 1_000) })
  await (await other.deliver(order)).wait()
  await chain.mine(5)
  await until(async () => (await stop(order)).delivered, { mining: false })

  await minting.consume(orderLineAuthorised, order)
  await untilState(minting, order.lineId, 'final', { mining: false })
  expect(failures(order.lineId)).toEqual([])
})

test('no line is stopped while a transaction of the signer that this database lacks waits for a block', async () => {
  const [sent, unsent] = [await givenOrder(), await givenOrder()]
  await chain.mineEachTransaction(false)
  await chain.signer.sendTransaction(await other.callOf(sent))
  for (const order of [sent, unsent]) expect(await stop(order, 'cancelled')).toEqual({ stopped: false, pending: true })

  await chain.mineEachTransaction(true)
  await until(async () => (await stop(sent, 'cancelled')).delivered)
  expect(await until(() => stop(unsent, 'cancelled'))).toEqual({ stopped: true })
})
