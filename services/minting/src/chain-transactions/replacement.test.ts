import type { StopReason } from '@nifty/api/minting/internal'
import { deliveryFailed, deliveryFinal } from '@nifty/events/minting'
import { toQuantity } from 'ethers'
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import {
  authorise,
  deliveryOf,
  givenAcceptedMint,
  givenWork,
  untilCancelSent,
  untilState,
} from '../testing/fixtures.ts'
import { startTestMinting } from '../testing/minting.ts'

const USUAL_BASE_FEE = 10n ** 9n
/** A score of replacements above the usual fee; a cancellation may pay ten times as much. */
const MAX_FEE = 30n * USUAL_BASE_FEE
const minting = await startTestMinting({ transactions: { bumpAfterMs: 200, maxFee: MAX_FEE } })

const setBaseFee = (wei: bigint) => minting.chain.provider.send('anvil_setNextBlockBaseFeePerGas', [toQuantity(wei)])

/** Nothing of a test is left in the pool, which would hold up the nonces of the next one. */
afterEach(async () => {
  await minting.chain.mineEachTransaction(true)
  const open = minting.db.selectFrom('chainTransaction').select('id').where('state', '<>', 'final')
  await minting.until(async () => (await open.execute()).length === 0)
  await setBaseFee(USUAL_BASE_FEE)
  await minting.chain.mine()
})

const finalOf = (lineId: string) => minting.published(deliveryFinal).filter((final) => final.lineId === lineId)
const failedOf = (lineId: string) => minting.published(deliveryFailed).filter((failed) => failed.lineId === lineId)

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
  const risen = BigInt(first!.maxFeePerGas) * 3n
  await minting.until(async () => {
    await setBaseFee(risen)
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
  await minting.until(() => finalOf(order.lineId).length > 0)
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
      return fees.at(-1)! * 9n > 8n * MAX_FEE
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
  expect(attempts.every(({ maxFeePerGas }) => BigInt(maxFeePerGas) <= MAX_FEE)).toBe(true)
  expect(await deliveryOf(minting, order.lineId)).toMatchObject({ state: 'signed' })
})

const stop = async ({ lineId, orderId }: { lineId: string; orderId: string }, reason: StopReason) =>
  (await minting.callInternal(`/internal/deliveries/${lineId}/stop`, { orderId, reason })).body

test.each(['deadline', 'hold_lost', 'operator', 'dispute'] as const)(
  'for "%s" a delivery in no block is cancelled on its nonce, and fails only when that is final',
  async (reason) => {
    const { work, buyer, order } = await givenPendingDelivery()
    expect(await stop(order, reason)).toEqual({ stopped: false, cancelling: true })
    await untilCancelSent(minting, order.lineId)
    expect((await deliveryOf(minting, order.lineId)).state).toBe('signed')
    expect(failedOf(order.lineId)).toEqual([])
    await untilState(minting, order.lineId, 'failed')

    await minting.until(() => failedOf(order.lineId).length > 0)
    expect(failedOf(order.lineId)).toMatchObject([{ reason: 'deadline' }])
    expect(finalOf(order.lineId)).toEqual([])
    expect(await minting.chain.ownerOf(work.identifier)).not.toBe(buyer)
    expect(await minting.chain.deliveryOf.isLineUsed!(`0x${order.lineId.replaceAll('-', '')}${'0'.repeat(32)}`)).toBe(
      false,
    )
  },
)

test('a buyer stops a delivery in no block only while the chain is late', async () => {
  const { work, buyer, order, transactionId } = await givenPendingDelivery()
  expect(await stop(order, 'cancelled')).toEqual({ stopped: false })
  await minting.untilPolled(20, { mining: false })
  expect((await attemptsOf(transactionId)).map(({ kind }) => kind)).toEqual(['call'])

  await minting.db
    .updateTable('chainTransaction')
    .set({ signedAt: sql<Date>`now() - interval '11 minutes'` })
    .where('id', '=', transactionId)
    .execute()
  expect(await stop(order, 'cancelled')).toEqual({ stopped: false, cancelling: true })
  await untilCancelSent(minting, order.lineId)
  const own = minting.db.selectFrom('chainTransaction').select('state').where('id', '=', transactionId)
  await minting.until(async () => (await own.executeTakeFirstOrThrow()).state === 'mined')
  expect(await stop(order, 'cancelled')).toEqual({ stopped: false, cancelling: true })
  await untilState(minting, order.lineId, 'failed')
  expect(await minting.chain.ownerOf(work.identifier)).not.toBe(buyer)
})

test('a delivery that is priced out and stopped is cancelled while the fees are above the cap of deliveries', async () => {
  const { work, buyer, order, transactionId } = await givenPendingDelivery()
  const tooHigh = 2n * MAX_FEE
  await setBaseFee(tooHigh)
  await minting.chain.mine()
  expect(await stop(order, 'cancelled')).toEqual({ stopped: false, cancelling: true })
  await minting.until(async () => {
    await setBaseFee(tooHigh)
    return (await deliveryOf(minting, order.lineId)).state === 'failed'
  })

  const cancellation = (await attemptsOf(transactionId)).at(-1)!
  expect(cancellation.kind).toBe('cancel')
  expect(BigInt(cancellation.maxFeePerGas)).toBeGreaterThan(MAX_FEE)
  expect(BigInt(cancellation.maxFeePerGas)).toBeLessThanOrEqual(10n * MAX_FEE)
  expect(await minting.chain.ownerOf(work.identifier)).not.toBe(buyer)
})

test('while the base fee is above the cap nothing is signed, a waiting line is stopped at once, and no purchase starts', async () => {
  const work = await givenWork(minting)
  const next = await givenWork(minting)
  await setBaseFee(2n * MAX_FEE)
  await minting.chain.mine()
  const order = await authorise(minting, work, { wallet: (await minting.chain.newWallet()).address })
  const { id: mintId } = await givenAcceptedMint(minting)
  await minting.untilPolled(40, { mining: false })
  expect((await deliveryOf(minting, order.lineId)).state).toBe('waiting')
  const mint = minting.db.selectFrom('mint').select('state').where('id', '=', mintId)
  expect((await mint.executeTakeFirstOrThrow()).state).toBe('accepted')
  expect((await minting.callInternal('/internal/ops/status')).body.chain).toMatchObject({ refusal: 'fee_cap' })
  const tokens = [{ token: next.token, ownerId: next.creatorId }]
  expect(await minting.callInternal('/internal/deliverable', { tokens })).toMatchObject({
    status: 503,
    body: { code: 'fee_cap' },
  })

  await minting.until(async () => (await stop(order, 'cancelled')).stopped, { mining: false })
  await setBaseFee(USUAL_BASE_FEE)
  await minting.chain.mine()
  await minting.until(async () => (await mint.executeTakeFirstOrThrow()).state === 'minted')
})

test('the call of a stopped delivery is not sent again, also without the key that would cancel it', async () => {
  const { order } = await givenPendingDelivery()
  const { signerKeys } = minting.config.chain
  const restart = async (keys: string[]) => {
    await minting.stop()
    minting.config.chain.signerKeys = keys
    await minting.start()
  }
  const isPending = async () => (await minting.chain.provider.send('txpool_status', [])).pending !== '0x0'
  await minting.until(isPending, { mining: false })
  await restart([(await minting.chain.newWallet()).privateKey])
  await stop(order, 'hold_lost')
  await minting.untilPolled(20, { mining: false })
  await minting.chain.provider.send('anvil_dropAllTransactions', [])

  const sent = () => minting.chain.proxy.methods.filter((method) => method === 'eth_sendRawTransaction').length
  const before = sent()
  await minting.untilPolled(60, { mining: false })
  expect([sent(), await isPending()]).toEqual([before, false])
  await restart(signerKeys)
  await untilState(minting, order.lineId, 'failed')
})

test('an overdue delivery that is mined is not cancelled', async () => {
  const { work, buyer, order, transactionId } = await givenPendingDelivery()
  const own = minting.db.selectFrom('chainTransaction').select('state').where('id', '=', transactionId)
  await minting.until(async () => (await own.executeTakeFirstOrThrow()).state === 'mined')
  expect(await stop(order, 'deadline')).toEqual({ stopped: false })
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
  await minting.until(() => failedOf(order.lineId).length > 0)
  expect(failedOf(order.lineId)).toMatchObject([{ reason: 'deadline' }])
})
