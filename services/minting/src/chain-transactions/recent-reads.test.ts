import { testLog } from '@nifty/service-kit/testing/log'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createIndexer } from '../chain-index/index-blocks.ts'
import { createChainContext } from '../create-chain-context.ts'
import { authorise, givenWork, untilState } from '../testing/fixtures.ts'
import { startTestMinting } from '../testing/minting.ts'
import { createFollower } from './follow-signers.ts'

const POLL_MS = 1_000

const minting = await startTestMinting({ finalityDepth: 4 })
const { chain, db } = minting

const transactions = () => db.selectFrom('chainTransaction').selectAll().orderBy('nonce').execute()
const open = async () => (await transactions()).filter(({ state }) => state !== 'final')

/**
 * The service is stopped with this many deliveries in blocks that are not final; `poll` runs its jobs once, a poll
 * later, and returns the methods of the calls of the node.
 */
async function givenMinedDeliveries(count: number) {
  const works = []
  for (let each = 0; each < count; each++) works.push(await givenWork(minting))
  await minting.until(async () => (await open()).length === 0)
  for (const work of works) {
    const { lineId } = await authorise(minting, work, { wallet: (await chain.newWallet()).address })
    await untilState(minting, lineId, 'signed', { mining: false })
  }
  await minting.until(async () => (await open()).every(({ state }) => state === 'mined'), { mining: false })
  await minting.stop()

  const config = { ...minting.config, transactions: { ...minting.config.transactions, pollMs: POLL_MS } }
  const context = createChainContext({ db, log: testLog, config })
  let now = performance.now()
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  onTestFinished(async () => {
    clock.mockRestore()
    context.node.stop()
    await minting.start()
  })
  const jobs = [createIndexer(context), createFollower(context)]
  return async function poll() {
    now += POLL_MS
    const before = chain.proxy.methods.length
    await Promise.all(jobs.map((run) => run()))
    return chain.proxy.methods.slice(before)
  }
}

const receiptsIn = (methods: string[]) => methods.filter((method) => method === 'eth_getTransactionReceipt').length

test('without a new block a poll reads the heads once for all jobs, and with one no receipt until it is final', async () => {
  const poll = await givenMinedDeliveries(3)
  expect((await open()).length).toBe(3)
  expect(receiptsIn(await poll())).toBe(3)
  expect(await poll()).toEqual(['eth_getBlockByNumber', 'eth_getBlockByNumber'])
  expect(await poll()).toEqual(['eth_getBlockByNumber', 'eth_getBlockByNumber'])

  let receipts = 0
  for (let blocks = 0; (await open()).length > 0; blocks++) {
    expect(blocks).toBeLessThan(10)
    await chain.mine()
    const before = await open()
    const methods = [...(await poll()), ...(await poll())]
    const read = receiptsIn(methods)
    receipts += read
    // Three for each that became final: of a reader, and of each node with its block.
    expect(read).toBeLessThanOrEqual(3 * (before.length - (await open()).length))
    expect(methods.length - read).toBeLessThanOrEqual(12)
  }
  expect(receipts).toBeLessThanOrEqual(9)
})

test('a transaction that a reorg moved into another block is recorded there at the next poll', async () => {
  const poll = await givenMinedDeliveries(1)
  await poll()
  const [moved] = await open()
  const { raw } = await db
    .selectFrom('attempt')
    .select('raw')
    .where('transactionId', '=', moved!.id)
    .executeTakeFirstOrThrow()
  await chain.provider.send('anvil_reorg', [1, [[raw, 0]]])
  await poll()
  const [found] = await open()
  const block = await chain.provider.getBlock(found!.minedBlock!)
  expect(found!.state).toBe('mined')
  expect(found!.minedBlockHash).toBe(block!.hash)
  expect(found!.minedBlockHash).not.toBe(moved!.minedBlockHash)
})
