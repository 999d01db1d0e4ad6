import { batchGas } from '@nifty/contracts/calls'
import { deliveryFailed } from '@nifty/events/minting'
import { testLog } from '@nifty/service-kit/testing/log'
import { toQuantity } from 'ethers'
import { expect, test } from 'vitest'
import { createChainContext } from '../create-chain-context.ts'
import { acceptDelivery } from '../deliveries/delivery.actions.ts'
import { authorise, deliveryOf, givenWork, orderOf, untilState, type Work } from '../testing/fixtures.ts'
import { startTestMinting } from '../testing/minting.ts'
import { openTransactions } from './chain-transaction.store.ts'
import { chooseSigner } from './choose-signer.ts'

const minting = await startTestMinting()
const { chain, db, until, published } = minting

const sell = async (work: Work) => authorise(minting, work, { wallet: (await chain.newWallet()).address })
const transactionOf = async (lineId: string) => {
  const { transactionId } = await deliveryOf(minting, lineId)
  return db.selectFrom('chainTransaction').selectAll().where('id', '=', transactionId!).executeTakeFirstOrThrow()
}

test('a stopped line whose nonce a foreign transaction has in a final block fails, while its signer is still halted', async () => {
  const [work, other] = [await givenWork(minting), await givenWork(minting)]
  await until(async () => (await openTransactions(db, chain.signer.address)).length === 0)
  chain.proxy.fail({ eth_sendRawTransaction: 'before' })
  const line = await sell(work)
  await untilState(minting, line.lineId, 'signed', { mining: false })
  const { nonce } = await transactionOf(line.lineId)
  const going = await sell(other)
  await untilState(minting, going.lineId, 'signed', { mining: false })
  await (await chain.signer.sendTransaction({ to: chain.owner.address, value: 1n, nonce })).wait()
  const signer = db.selectFrom('signer').select('haltedReason')
  await until(async () => (await signer.executeTakeFirstOrThrow()).haltedReason !== null)
  expect((await deliveryOf(minting, line.lineId)).state).toBe('signed')
  const retry = { lineId: line.lineId, reason: 'a test' }
  expect((await minting.callInternal('/internal/ops/retry-delivery', retry)).body.result).toBe('nonce_used')

  const { orderId, lineId } = line
  await minting.callInternal(`/internal/deliveries/${lineId}/stop`, { orderId, reason: 'deadline' })
  await untilState(minting, lineId, 'failed')
  expect((await signer.executeTakeFirstOrThrow()).haltedReason).not.toBeNull()
  expect((await deliveryOf(minting, going.lineId)).state).toBe('signed')
  await until(() =>
    published(deliveryFailed).find((failed) => failed.lineId === lineId && failed.reason === 'deadline'),
  )

  chain.proxy.heal()
  const resume = { address: chain.signer.address, reason: 'the key was used by hand' }
  expect((await minting.callInternal('/internal/ops/resume-signer', resume)).status).toBe(200)
  await untilState(minting, going.lineId, 'final')
  expect(await chain.ownerOf(work.identifier)).toBe(chain.delivery)
})

test('an empty signer signs nothing: its line is stopped without the chain, and signed once there is gas money', async () => {
  const works = [await givenWork(minting), await givenWork(minting)]
  await until(async () => (await openTransactions(db, chain.signer.address)).length === 0)
  await chain.provider.send('anvil_setBalance', [chain.signer.address, '0x0'])
  const [line, going] = [await sell(works[0]!), await sell(works[1]!)]
  await minting.untilPolled(40)
  for (const { lineId } of [line, going]) expect((await deliveryOf(minting, lineId)).state).toBe('waiting')

  const { orderId, lineId } = line
  const stop = await minting.callInternal(`/internal/deliveries/${lineId}/stop`, { orderId, reason: 'cancelled' })
  expect(stop.body).toEqual({ stopped: true })
  await chain.provider.send('anvil_setBalance', [chain.signer.address, toQuantity(10n ** 21n)])
  await untilState(minting, going.lineId, 'final')
})

test('a transaction whose receipt the node refuses to send delays no later one of its signer', async () => {
  const [work, next] = [await givenWork(minting), await givenWork(minting)]
  await chain.mineEachTransaction(false)
  const first = await sell(work)
  await untilState(minting, first.lineId, 'signed', { mining: false })
  const { id } = await transactionOf(first.lineId)
  const { hash } = await db
    .selectFrom('attempt')
    .select('hash')
    .where('transactionId', '=', id)
    .executeTakeFirstOrThrow()
  chain.proxy.intercept(({ method, params }) =>
    method === 'eth_getTransactionReceipt' && params[0] === hash
      ? { error: { code: -32603, message: 'internal error' } }
      : undefined,
  )
  await chain.mineEachTransaction(true)
  const second = await sell(next)
  await untilState(minting, second.lineId, 'final')
  await until(async () => (await transactionOf(second.lineId)).state === 'final')
  expect((await transactionOf(first.lineId)).state).toBe('signed')

  chain.proxy.heal()
  await until(async () => (await transactionOf(first.lineId)).state === 'final')
})

test('an empty signer is not chosen, and mints leave the gas money that waiting deliveries need', async () => {
  const { address } = chain.signer
  const context = createChainContext({ db, log: testLog, config: minting.config })
  const works = [await givenWork(minting), await givenWork(minting)]
  await until(async () => (await openTransactions(db, address)).length === 0)
  await minting.stop()
  const { maxFeePerGas } = await context.node.fees()
  const wanted = { entries: 20, maxFeePerGas }
  await chain.provider.send('anvil_setBalance', [address, toQuantity(batchGas(7) * maxFeePerGas)])
  const lines = works.map((work) => orderOf(work, { wallet: address }))
  const entries = async (kind: 'mint' | 'delivery') => (await chooseSigner(context, { kind, ...wanted }))?.entries
  expect([await entries('mint'), await entries('delivery')]).toEqual([7, 7])
  for (const line of lines) await db.transaction().execute((trx) => acceptDelivery(trx, line, []))
  expect([await entries('mint'), await entries('delivery')]).toEqual([5, 7])
  await chain.provider.send('anvil_setBalance', [address, '0x0'])
  expect([await entries('mint'), await entries('delivery')]).toEqual([undefined, undefined])
  const withoutFees = await chooseSigner(context, { kind: 'delivery', entries: 20, maxFeePerGas: 0n })
  expect(withoutFees?.entries).toBe(20)
})
