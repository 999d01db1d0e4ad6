import { keyOf } from '@nifty/contracts/keys'
import { deliveryFailed } from '@nifty/events/minting'
import { orderLineAuthorised } from '@nifty/events/payments'
import { afterEach, expect, test } from 'vitest'
import { authorise, deliveryOf, givenWork, orderOf, untilState } from '../testing/fixtures.ts'
import { startTestMinting } from '../testing/minting.ts'
import { givenOtherSigner } from '../testing/other-signer.ts'

const minting = await startTestMinting()
const { chain, published, until } = minting
const other = await givenOtherSigner(minting)

afterEach(() => chain.proxy.heal())

const wallet = async () => (await chain.newWallet()).address
const isFailed = (lineId: string) => published(deliveryFailed).some((failed) => failed.lineId === lineId)

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
  const [one, other] = [await givenWork(minting), await givenWork(minting)]
  const [failing, sold] = [orderOf(one, { wallet: await wallet() }), orderOf(other, { wallet: await wallet() })]
  const key = keyOf(failing.lineId).slice(2)
  chain.proxy.intercept(({ method, params }) =>
    method === 'eth_call' && JSON.stringify(params).includes(key)
      ? { error: { code: -32000, message: 'header not found' } }
      : undefined,
  )

  await minting.consume(orderLineAuthorised, failing)
  await minting.consume(orderLineAuthorised, sold)

  await untilState(minting, sold.lineId, 'final')
  expect((await deliveryOf(minting, failing.lineId)).state).toBe('waiting')
  chain.proxy.heal()
  await untilState(minting, failing.lineId, 'final')
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
