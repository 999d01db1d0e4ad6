import { deliveryFailed } from '@nifty/events/minting'
import { orderLineAuthorised } from '@nifty/events/payments'
import { afterEach, expect, test } from 'vitest'
import { authorise, deliveryOf, givenWork, orderOf, untilState, type Work } from '../testing/fixtures.ts'
import { startTestMinting } from '../testing/minting.ts'
import { givenOtherSigner } from '../testing/other-signer.ts'

const minting = await startTestMinting()
const { chain, db, published, until } = minting
const other = await givenOtherSigner(minting)

afterEach(() => chain.proxy.heal())

const wallet = async () => (await chain.newWallet()).address
const isFailed = (lineId: string) => published(deliveryFailed).some((failed) => failed.lineId === lineId)

const indexedWallet = async ({ token }: Work) =>
  (await db.selectFrom('token').select('wallet').where('token', '=', token).executeTakeFirstOrThrow()).wallet

test.each([
  { code: -32005, message: 'rate limit exceeded' },
  { code: -32000, message: 'header not found' },
])('a paid line waits while the node answers calls with "$message"', async (error) => {
  const work = await givenWork(minting)
  chain.proxy.refuse({ eth_call: error, eth_estimateGas: error })
  const order = await authorise(minting, work, { wallet: await wallet() })
  await chain.mine(60)
  await minting.untilPolled(60)
  expect((await deliveryOf(minting, order.lineId)).state).toBe('waiting')

  chain.proxy.heal()
  await untilState(minting, order.lineId, 'final')
  expect(isFailed(order.lineId)).toBe(false)
})

test('a line whose check fails delays no other line', async () => {
  const [used, sold] = [await givenWork(minting), await givenWork(minting)]
  const [first, second] = [orderOf(used, { wallet: await wallet() }), orderOf(sold, { wallet: await wallet() })]
  await (await other.deliver(first)).wait()
  await chain.mine(5)
  await until(async () => (await indexedWallet(used)) === first.wallet.toLowerCase())
  chain.proxy.refuse({ eth_getLogs: { code: -32602, message: 'block range is too wide, max 10000' } })

  await minting.consume(orderLineAuthorised, first)
  await minting.consume(orderLineAuthorised, second)

  await until(async () => (await deliveryOf(minting, second.lineId)).state === 'signed')
  expect((await deliveryOf(minting, first.lineId)).state).toBe('waiting')
  chain.proxy.heal()
  await untilState(minting, first.lineId, 'final')
  await untilState(minting, second.lineId, 'final')
})

test('a refusal by a block that a reorg removes does not fail the line', async () => {
  const work = await givenWork(minting)
  const order = orderOf(work, { wallet: await wallet() })
  await chain.mineEachTransaction(false)
  await other.deliver({ ...order, lineId: order.orderId })
  await chain.mine()
  await minting.consume(orderLineAuthorised, order)
  await until(async () => (await deliveryOf(minting, order.lineId)).note === 'not_owner', { mining: false })
  expect((await deliveryOf(minting, order.lineId)).state).toBe('waiting')

  await chain.provider.send('anvil_reorg', [1, []])
  await chain.provider.send('anvil_dropAllTransactions', [])
  await chain.mineEachTransaction(true)
  await untilState(minting, order.lineId, 'final')
  expect(isFailed(order.lineId)).toBe(false)
})
