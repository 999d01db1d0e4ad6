import { deliveryFailed, deliveryFinal } from '@nifty/events/minting'
import { toQuantity } from 'ethers'
import { beforeEach, expect, test } from 'vitest'
import { authorise, deliveryOf, givenWork, untilState } from '../testing/fixtures.ts'
import { startTestMinting, type TestMinting } from '../testing/minting.ts'

let minting: TestMinting

beforeEach(async () => {
  const ends: (() => Promise<void>)[] = []
  minting = await startTestMinting({
    transactions: { bumpAfterMs: 200, maxFee: 10n ** 12n },
    cleanUp: (end) => ends.unshift(end),
  })
  return async () => {
    for (const end of ends) await end()
  }
})

/** An order whose delivery waits in the pool and cannot get into a block. */
async function givenPendingDelivery(deliverBy?: Date) {
  const work = await givenWork(minting)
  await minting.chain.mineEachTransaction(false)
  const buyer = (await minting.chain.newWallet()).address
  const order = await authorise(minting, work, { wallet: buyer, deliverBy })
  await untilState(minting, order.lineId, 'signed', { mining: false })
  const transactionId = (await deliveryOf(minting, order.lineId)).transactionId!
  return { work, buyer, order, transactionId }
}

const attemptsOf = (transactionId: string) =>
  minting.db.selectFrom('attempt').selectAll().where('transactionId', '=', transactionId).orderBy('number').execute()

test('a delivery that is priced out is replaced at a higher fee on the same nonce', async () => {
  const { work, buyer, order, transactionId } = await givenPendingDelivery()
  const [first] = await attemptsOf(transactionId)
  const risen = BigInt(first!.maxFeePerGas) * 5n
  await minting.until(async () => {
    await minting.chain.provider.send('anvil_setNextBlockBaseFeePerGas', [toQuantity(risen)])
    return (await deliveryOf(minting, order.lineId)).state === 'final'
  })

  const attempts = await attemptsOf(transactionId)
  expect(attempts.length).toBeGreaterThan(1)
  for (const [index, attempt] of attempts.slice(1).entries()) {
    const before = attempts[index]!
    expect(BigInt(attempt.maxFeePerGas) * 8n).toBeGreaterThanOrEqual(BigInt(before.maxFeePerGas) * 9n)
    expect(BigInt(attempt.maxPriorityFeePerGas) * 8n).toBeGreaterThanOrEqual(BigInt(before.maxPriorityFeePerGas) * 9n)
  }
  expect(await minting.chain.ownerOf(work.identifier)).toBe(buyer)
  await minting.until(() => minting.published(deliveryFinal).length > 0)
})

test('no fee goes above the cap, and the delivery waits', async () => {
  const { order, transactionId } = await givenPendingDelivery()
  await minting.until(
    async () => {
      await minting.callInternal('/internal/ops/retry-delivery', {
        lineId: order.lineId,
        reason: 'a test',
      })
      const fees = (await attemptsOf(transactionId)).map(({ maxFeePerGas }) => BigInt(maxFeePerGas))
      return fees.at(-1)! * 9n > 8n * 10n ** 12n
    },
    { mining: false },
  )
  const { length } = await attemptsOf(transactionId)
  await minting.callInternal('/internal/ops/retry-delivery', {
    lineId: order.lineId,
    reason: 'a test',
  })
  await minting.untilPolled(30, { mining: false })

  const attempts = await attemptsOf(transactionId)
  expect(attempts).toHaveLength(length)
  expect(attempts.every(({ maxFeePerGas }) => BigInt(maxFeePerGas) <= 10n ** 12n)).toBe(true)
  expect(await deliveryOf(minting, order.lineId)).toMatchObject({ state: 'signed' })
})

test('an overdue delivery is cancelled on its nonce, and fails only when the cancellation is final', async () => {
  const { work, buyer, order, transactionId } = await givenPendingDelivery()
  const stop = await minting.callInternal(`/internal/deliveries/${order.lineId}/stop`, {
    orderId: order.orderId,
    reason: 'deadline',
  })
  expect(stop.body).toEqual({ stopped: false })
  const isCancelSent = async () => {
    const { kind, hash } = (await attemptsOf(transactionId)).at(-1)!
    return kind === 'cancel' && (await minting.chain.provider.getTransaction(hash)) !== null
  }
  await minting.until(isCancelSent, { mining: false })
  expect((await deliveryOf(minting, order.lineId)).state).toBe('signed')
  expect(minting.published(deliveryFailed)).toEqual([])
  await untilState(minting, order.lineId, 'failed')

  await minting.until(() => minting.published(deliveryFailed).length > 0)
  expect(minting.published(deliveryFailed)).toMatchObject([{ lineId: order.lineId, reason: 'deadline' }])
  expect(minting.published(deliveryFinal)).toEqual([])
  expect(await minting.chain.ownerOf(work.identifier)).not.toBe(buyer)
  expect(await minting.chain.deliveryOf.isLineUsed!(`0x${order.lineId.replaceAll('-', '')}${'0'.repeat(32)}`)).toBe(
    false,
  )
})

test('an overdue delivery that is mined is not cancelled', async () => {
  const { work, buyer, order, transactionId } = await givenPendingDelivery()
  const own = minting.db.selectFrom('chainTransaction').select('state').where('id', '=', transactionId)
  await minting.until(async () => (await own.executeTakeFirstOrThrow()).state === 'mined')
  await minting.callInternal(`/internal/deliveries/${order.lineId}/stop`, {
    orderId: order.orderId,
    reason: 'deadline',
  })
  await untilState(minting, order.lineId, 'final')
  expect((await attemptsOf(transactionId)).map(({ kind }) => kind)).toEqual(['call'])
  expect(await minting.chain.ownerOf(work.identifier)).toBe(buyer)
})

test('an overdue line that is not signed fails without a transaction', async () => {
  const work = await givenWork(minting)
  const { address } = await minting.chain.newWallet()
  const order = await authorise(minting, work, { wallet: address, deliverBy: new Date(Date.now() - 1000) })
  await untilState(minting, order.lineId, 'failed')
  expect((await deliveryOf(minting, order.lineId)).transactionId).toBeNull()
  await minting.until(() => minting.published(deliveryFailed).length > 0)
  expect(minting.published(deliveryFailed)).toMatchObject([{ lineId: order.lineId, reason: 'deadline' }])
})
