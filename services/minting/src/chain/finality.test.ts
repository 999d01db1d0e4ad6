import { expect, test } from 'vitest'
import { authorise, deliveryOf, givenWork, untilState } from '../testing/fixtures.ts'
import { startTestMinting } from '../testing/minting.ts'
import { createProgress } from './finality.ts'

const DEPTH = 12

test('finality waits while the nodes together do not get as far as one of them alone', () => {
  let now = 0
  const progress = createProgress(() => now)
  const record = (expected: number, agreed?: number) => {
    now += 10
    progress.record({ expected, agreed, reason: 'node 2 is behind' })
    return progress.wait()?.since
  }
  expect(record(5, 5)).toBeUndefined()
  // Behind, but advancing.
  expect(record(9, 6)).toBe(20)
  expect(record(10, 7)).toBe(30)
  // Stuck, then silent.
  expect(record(11, 7)).toBe(30)
  expect(record(12)).toBe(30)
  expect(record(13, 13)).toBeUndefined()
})

test('a block with the finalized tag is not final before it is CHAIN_FINALITY_DEPTH deep', async () => {
  const minting = await startTestMinting({ finalityDepth: DEPTH })
  const { chain, db, until } = minting
  const work = await givenWork(minting)
  const order = await authorise(minting, work, { wallet: (await chain.newWallet()).address })
  await until(async () => (await chain.ownerOf(work.identifier)) === order.wallet, { mining: false })
  const head = await chain.provider.getBlockNumber()

  await chain.mine(DEPTH - 1)
  const indexed = () => db.selectFrom('chainCursor').select('block').executeTakeFirstOrThrow()
  await until(async () => (await indexed()).block === head - 1, { mining: false })
  await minting.untilPolled(40, { mining: false })
  expect(Number((await chain.provider.getBlock('finalized'))!.number)).toBeGreaterThan(head)
  expect((await deliveryOf(minting, order.lineId)).state).toBe('signed')

  await chain.mine()
  await untilState(minting, order.lineId, 'final', { mining: false })
})

test('a node that is behind the index halts nothing', async () => {
  const minting = await startTestMinting()
  const { chain } = minting
  await givenWork(minting)
  const head = await chain.provider.getBlockNumber()
  await chain.mine(10)
  const status = async () => (await minting.callInternal('/internal/ops/status')).body
  await minting.until(async () => (await status()).index.block > head, { mining: false })
  chain.proxy.stayAt(head - 3)
  await minting.untilPolled(40, { mining: false })
  chain.proxy.heal()
  expect((await status()).index.haltedReason).toBeNull()
})
