import { keyOf } from '@nifty/contracts/keys'
import { deliveryFailed, deliveryFinal } from '@nifty/events/minting'
import { waitForBlockedQuery } from '@nifty/service-kit/testing/blocked-query'
import { testLog } from '@nifty/service-kit/testing/log'
import { afterEach, expect, test } from 'vitest'
import { stopDelivery } from '../deliveries/delivery.actions.ts'
import { lockDelivery } from '../deliveries/delivery.store.ts'
import { authorise, deliveryOf, givenWork, untilIndexed, untilState } from '../testing/fixtures.ts'
import { startTestMinting } from '../testing/minting.ts'
import { givenOtherSigner } from '../testing/other-signer.ts'
import { createChainIndex } from './chain-index.ts'

const minting = await startTestMinting()
const { chain, db, published, until } = minting
const other = await givenOtherSigner(minting)

afterEach(() => chain.proxy.heal())

const wallet = async () => (await chain.newWallet()).address
const isFinal = (lineId: string) => published(deliveryFinal).some((final) => final.lineId === lineId)
const isFailed = (lineId: string) => published(deliveryFailed).some((failed) => failed.lineId === lineId)

async function givenWaitingLine() {
  const work = await givenWork(minting)
  chain.proxy.fail({ eth_estimateGas: 'before' })
  const order = await authorise(minting, work, { wallet: await wallet() })
  return { order }
}

test.each(['wallet', 'token'] as const)(
  'a delivery of a line with another %s does not finish the line',
  async (kind) => {
    const another = await givenWork(minting)
    const { order } = await givenWaitingLine()
    const sent =
      kind === 'wallet'
        ? await other.deliver(order, await wallet())
        : await other.deliver({ ...order, token: another.token, sellerId: another.creatorId })
    await untilIndexed(minting, (await sent.wait())!.blockNumber)

    chain.proxy.heal()
    await minting.untilPolled(60)
    expect((await deliveryOf(minting, order.lineId)).state).toBe('waiting')
    expect([isFinal(order.lineId), isFailed(order.lineId)]).toEqual([false, false])
  },
)

test('a delivery of a line by another transaction, for its token and wallet, finishes the line', async () => {
  const { order } = await givenWaitingLine()
  const sent = await other.deliver(order)
  await untilIndexed(minting, (await sent.wait())!.blockNumber)
  expect((await deliveryOf(minting, order.lineId)).state).toBe('final')
  await until(() => isFinal(order.lineId))
})

test('a refusal in a transaction that is not the line’s own does not fail the line', async () => {
  const work = await givenWork(minting)
  chain.proxy.fail({ eth_sendRawTransaction: 'before' })
  const order = await authorise(minting, work, { wallet: await wallet() })
  await untilState(minting, order.lineId, 'signed')
  const sent = await other.refuse(order)
  const receipt = (await sent.wait())!
  expect(receipt.logs).toHaveLength(1)
  await untilIndexed(minting, receipt.blockNumber)
  expect((await deliveryOf(minting, order.lineId)).state).toBe('signed')

  chain.proxy.heal()
  await untilState(minting, order.lineId, 'final')
  expect(isFailed(order.lineId)).toBe(false)
})

test('the index waits for a transaction that locks the same deliveries by their ids', async () => {
  const [low, high] = ['00000000-0000-4000-8000-000000000000', 'ffffffff-ffff-4fff-bfff-ffffffffffff'] as const
  for (const lineId of [low, high])
    await db.transaction().execute((trx) => stopDelivery(trx, { lineId, whenSigned: 'continue' }))
  const reason = { name: 'Silent', args: {}, text: 'a test' }
  const logs = [high, low].map((lineId, index) => ({
    txHash: '0x',
    block: 1,
    blockHash: '0x',
    at: new Date(),
    logIndex: index,
    event: { name: 'refused' as const, lineId: keyOf(lineId), reason },
  }))
  const finalizing = await db.startTransaction().execute()
  await lockDelivery(finalizing, low)

  const indexing = createChainIndex({ db, contracts: minting.config.chain, log: testLog }).apply(logs)
  await waitForBlockedQuery(db)
  await lockDelivery(finalizing, high)
  await finalizing.commit().execute()

  await indexing
})
