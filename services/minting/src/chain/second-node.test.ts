import { deliveryFinal } from '@nifty/events/minting'
import { afterEach, expect, test } from 'vitest'
import { authorise, deliveryOf, givenWork, untilState } from '../testing/fixtures.ts'
import { startTestMinting } from '../testing/minting.ts'

/** A node that works responds within a few milliseconds. */
const patience = { slowMs: 100, eachWithinMs: 250, requestMs: 500 }
const minting = await startTestMinting({ nodes: 2, finalityDepth: 2, patience })
const { chain, db, published, until } = minting
const nodes = { first: chain.proxy, second: chain.secondProxy }

afterEach(() => {
  for (const proxy of Object.values(nodes)) proxy.heal()
})

const transactionOf = async (lineId: string) => {
  const { transactionId } = await deliveryOf(minting, lineId)
  return db.selectFrom('chainTransaction').selectAll().where('id', '=', transactionId!).executeTakeFirstOrThrow()
}
const finality = async () => (await minting.callInternal('/internal/ops/status')).body.finality
const head = () => chain.provider.getBlockNumber()
const isFinal = (lineId: string) => published(deliveryFinal).some((final) => final.lineId === lineId)

const responds = (name: keyof typeof nodes) => `node ${name === 'first' ? 1 : 2} does not respond`

/**
 * Sells a work while a node is as `disturb` makes it. The delivery is mined, many blocks follow, and it is not final.
 */
async function sellWhile(disturb: () => Promise<void> | void, reason: string, { polls = 40 } = {}) {
  const work = await givenWork(minting)
  await disturb()
  const order = await authorise(minting, work, { wallet: (await chain.newWallet()).address })
  await until(async () => (await chain.ownerOf(work.identifier)) === order.wallet)
  await chain.mine(10)
  await minting.untilPolled(polls)
  expect((await deliveryOf(minting, order.lineId)).state).toBe('signed')
  expect(isFinal(order.lineId)).toBe(false)
  await until(async () => (await finality()).reason?.includes(reason))
  return { work, order }
}

async function expectFinalAfterHealing({ order }: Awaited<ReturnType<typeof sellWhile>>) {
  for (const proxy of Object.values(nodes)) proxy.heal()
  await untilState(minting, order.lineId, 'final')
  await until(async () => (await finality()).reason === null)
}

test('a second node on another fork: nothing is final until both have the same blocks', async () => {
  const sale = await sellWhile(async () => nodes.second.forkFrom((await head()) + 1), 'the nodes differ at block')
  await expectFinalAfterHealing(sale)
})

test('a second node that is behind: nothing is final that it does not have', async () => {
  const sale = await sellWhile(async () => nodes.second.stayAt(await head()), 'a node is behind')
  await expectFinalAfterHealing(sale)
})

test('logs that the second node lacks finish nothing', async () => {
  const work = await givenWork(minting)
  nodes.second.respond({ eth_getLogs: [] })
  const order = await authorise(minting, work, { wallet: (await chain.newWallet()).address })
  await until(async () => (await chain.ownerOf(work.identifier)) === order.wallet)
  await chain.mine(10)
  await minting.untilPolled(40)
  expect((await deliveryOf(minting, order.lineId)).state).toBe('signed')
  nodes.second.heal()
  await untilState(minting, order.lineId, 'final')
})

test.each(['first', 'second'] as const)(
  'the %s node is rate-limited: sales are signed, and final later',
  async (name) => {
    const sale = await sellWhile(
      () => nodes[name].refuse({ '*': { code: -32005, message: 'rate limit exceeded' } }),
      responds(name),
    )
    const { status, body } = await minting.callInternal('/internal/deliverable', {
      tokens: [{ token: sale.work.token, ownerId: sale.work.creatorId }],
    })
    expect({ status, body }).toMatchObject({ status: 200, body: { tokens: [{ code: 'being_delivered' }] } })
    await expectFinalAfterHealing(sale)
  },
)

test.each(['first', 'second'] as const)('the %s node is silent: sales are signed, and final later', async (name) => {
  // Each poll takes as long as the patience lasts while a node is silent.
  const sale = await sellWhile(() => nodes[name].fail({ '*': 'silent' }), responds(name), { polls: 6 })
  await expectFinalAfterHealing(sale)
})

test('a receipt that one node lacks while the other one refuses receipts halts no signer', async () => {
  const work = await givenWork(minting)
  nodes.first.respond({ eth_getTransactionReceipt: null })
  nodes.second.refuse({ eth_getTransactionReceipt: { code: -32005, message: 'rate limit exceeded' } })
  const order = await authorise(minting, work, { wallet: (await chain.newWallet()).address })
  await untilState(minting, order.lineId, 'final')
  await chain.mine(30)
  await minting.untilPolled(60)
  for (const proxy of Object.values(nodes)) proxy.heal()
  await until(async () => (await transactionOf(order.lineId)).state === 'final')
  expect(await db.selectFrom('signer').select('haltedReason').execute()).toEqual([{ haltedReason: null }])
})

test('a receipt that the second node lacks does not close the transaction', async () => {
  const work = await givenWork(minting)
  nodes.second.respond({ eth_getTransactionReceipt: null })
  const order = await authorise(minting, work, { wallet: (await chain.newWallet()).address })
  await untilState(minting, order.lineId, 'final')
  await minting.untilPolled(40)
  expect((await transactionOf(order.lineId)).state).toBe('mined')
  nodes.second.heal()
  await until(async () => (await transactionOf(order.lineId)).state === 'final')
})
