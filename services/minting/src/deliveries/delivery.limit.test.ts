import { deliveryInterface } from '@nifty/contracts/abi'
import { deliveryFailed } from '@nifty/events/minting'
import { toQuantity } from 'ethers'
import { afterEach, expect, test } from 'vitest'
import { authorise, deliveryOf, givenAcceptedMint, givenWork, orderOf, untilState } from '../testing/fixtures.ts'
import { startTestMinting } from '../testing/minting.ts'
import { deployRecipient, deploySleepingRecipient } from '../testing/recipients.ts'
import { acceptDelivery } from './delivery.actions.ts'

const minting = await startTestMinting()
const { chain, db, published, until } = minting
const delivery = chain.deliveryOf.connect(chain.owner) as typeof chain.deliveryOf
const collection = chain.collectionOf.connect(chain.owner) as typeof chain.collectionOf

const HOUR = 3600
const MOVES_PER_HOUR = 20_000
const failuresOf = (lineId: string) => published(deliveryFailed).filter((failed) => failed.lineId === lineId)
const sell = async (work: Awaited<ReturnType<typeof givenWork>>, wallet?: string) =>
  authorise(minting, work, { wallet: wallet ?? (await chain.newWallet()).address })

/** Sends the owner's transaction and mines it. */
async function change(send: () => Promise<{ wait: () => Promise<unknown> }>) {
  const sent = await send()
  await chain.mine()
  await sent.wait()
}
const limitTo = (moves: number) => change(() => delivery.setLimitPerHour!(moves))

/** Moves the chain to the first second of its next hour. */
async function startHour() {
  const { timestamp } = (await chain.provider.getBlock('latest'))!
  await chain.provider.send('evm_setNextBlockTimestamp', [toQuantity((Math.floor(timestamp / HOUR) + 1) * HOUR)])
  await chain.mine()
}

afterEach(async () => {
  chain.proxy.heal()
  await chain.mineEachTransaction(true)
  await limitTo(MOVES_PER_HOUR)
  await chain.passDelay()
})

/** A line that is signed and not broadcast; no block is mined by transactions. */
async function givenSigned(work: Awaited<ReturnType<typeof givenWork>>) {
  await chain.mineEachTransaction(false)
  chain.proxy.fail({ eth_sendRawTransaction: 'before' })
  const line = await sell(work)
  await untilState(minting, line.lineId, 'signed', { mining: false })
  return line
}

const outcomeOf = async (transactionId: string) =>
  (await db.selectFrom('chainTransaction').select('outcome').where('id', '=', transactionId).executeTakeFirstOrThrow())
    .outcome

test('a line waits while the signer has no moves left, and is delivered in the next hour', async () => {
  const [work, next] = [await givenWork(minting), await givenWork(minting)]
  await limitTo(1)
  await startHour()
  await untilState(minting, (await sell(work)).lineId, 'final')

  const line = await sell(next)
  await minting.untilPolled(60)
  expect((await deliveryOf(minting, line.lineId)).state).toBe('waiting')

  await startHour()
  await untilState(minting, line.lineId, 'final')
  expect(failuresOf(line.lineId)).toEqual([])
})

test('a signer with fewer moves left than lines wait delivers as many of them', async () => {
  const works = [await givenWork(minting), await givenWork(minting)]
  await limitTo(1)
  await startHour()
  chain.proxy.fail({ '*': 'before' })
  const lines = [await sell(works[0]!), await sell(works[1]!)]
  chain.proxy.heal()
  const finalLines = async () =>
    (await Promise.all(lines.map(({ lineId }) => deliveryOf(minting, lineId)))).filter(({ state }) => state === 'final')
  await until(async () => (await finalLines()).length === 1)

  await startHour()
  await until(async () => (await finalLines()).length === 2)
})

test('a signed line that reverts because its signer has no moves left is signed again in the next hour', async () => {
  const [work, next] = [await givenWork(minting), await givenWork(minting)]
  await limitTo(2)
  await startHour()
  await untilState(minting, (await sell(work)).lineId, 'final')

  const line = await givenSigned(next)
  const { transactionId } = await deliveryOf(minting, line.lineId)
  await limitTo(1)
  chain.proxy.heal()
  await until(async () => (await deliveryOf(minting, line.lineId)).state !== 'signed')
  expect(await outcomeOf(transactionId!)).toBe('reverted')
  expect(await deliveryOf(minting, line.lineId)).toMatchObject({ state: 'waiting', alone: false })

  await chain.mineEachTransaction(true)
  await startHour()
  await untilState(minting, line.lineId, 'final')
  expect(failuresOf(line.lineId)).toEqual([])
})

const setUps = {
  'its signer has no role': {
    remove: () => delivery.removeSigner!(chain.signer.address),
    restore: () => delivery.addSigner!(chain.signer.address),
  },
  'the collection is dropped': {
    remove: () => delivery.dropCollection!(chain.collection),
    restore: () => delivery.acceptCollection!(chain.collection),
  },
}

test.each(Object.keys(setUps) as (keyof typeof setUps)[])(
  'a signed line that reverts because %s is signed again',
  async (what) => {
    const line = await givenSigned(await givenWork(minting))
    await change(setUps[what].remove)
    chain.proxy.heal()
    await until(async () => (await deliveryOf(minting, line.lineId)).state !== 'signed')
    expect((await deliveryOf(minting, line.lineId)).state).toBe('waiting')

    await change(setUps[what].restore)
    await chain.passDelay()
    await chain.mineEachTransaction(true)
    await untilState(minting, line.lineId, 'final')
    expect(failuresOf(line.lineId)).toEqual([])
  },
)

test('a mint that reverts because its signer has no role is signed again', async () => {
  await chain.mineEachTransaction(false)
  chain.proxy.fail({ eth_sendRawTransaction: 'before' })
  const { id } = await givenAcceptedMint(minting)
  const stateOf = async () =>
    (await db.selectFrom('mint').select('state').where('id', '=', id).executeTakeFirstOrThrow()).state
  await until(async () => (await stateOf()) === 'minting', { mining: false })

  await change(() => collection.removeSigner!(chain.signer.address))
  chain.proxy.heal()
  await until(async () => (await stateOf()) !== 'minting')
  expect(await stateOf()).toBe('accepted')

  await change(() => collection.addSigner!(chain.signer.address))
  await chain.passDelay()
  await chain.mineEachTransaction(true)
  await until(async () => (await stateOf()) === 'minted')
})

test('mints wait while the signer has none left in this hour, and more than are left are minted in the next one', async () => {
  const limitMints = (mints: number) => change(() => collection.setLimitPerHour!(mints))
  const stateOf = async (id: string) =>
    (await db.selectFrom('mint').select('state').where('id', '=', id).executeTakeFirstOrThrow()).state
  await limitMints(2)
  await startHour()
  chain.proxy.fail({ '*': 'before' })
  const mints = [await givenAcceptedMint(minting), await givenAcceptedMint(minting), await givenAcceptedMint(minting)]
  chain.proxy.heal()
  const minted = async () =>
    (await Promise.all(mints.map(({ id }) => stateOf(id)))).filter((state) => state === 'minted').length
  await until(async () => (await minted()) === 2)
  await minting.untilPolled(60)
  expect(await minted()).toBe(2)

  await startHour()
  await until(async () => (await minted()) === 3)
  await limitMints(MOVES_PER_HOUR)
})

test('a revert whose block no node has the state of is tried again', async () => {
  const work = await givenWork(minting)
  const trap = await deploySleepingRecipient(minting, 'GasTrapWallet')
  await chain.mineEachTransaction(false)
  const line = await sell(work, trap.address)
  await untilState(minting, line.lineId, 'signed', { mining: false })
  await trap.wake()
  const { transactionId: first } = await deliveryOf(minting, line.lineId)
  const isBroadcast = async () => Number((await chain.provider.send('txpool_status', [])).pending) > 0
  await until(isBroadcast, { mining: false })
  await chain.mine()
  const block = toQuantity(await chain.provider.getBlockNumber())
  chain.proxy.intercept(({ method, params }) =>
    method === 'eth_call' && params[1] === block
      ? { error: { code: -32000, message: 'missing trie node 5f2c (path ) <nil>' } }
      : undefined,
  )
  await until(async () => (await deliveryOf(minting, line.lineId)).transactionId !== first)
  expect(failuresOf(line.lineId)).toEqual([])

  chain.proxy.heal()
  await untilState(minting, line.lineId, 'failed')
  // Tried again, its simulation refuses it.
  expect((await deliveryOf(minting, line.lineId)).reason).toBe('recipient_refuses')
})

const forged = {
  HourlyLimitReached: deliveryInterface.encodeErrorResult('HourlyLimitReached', [chain.signer.address, 0n, 2n ** 40n]),
  NotSigner: deliveryInterface.encodeErrorResult('NotSigner', [chain.signer.address]),
  CollectionNotAccepted: deliveryInterface.encodeErrorResult('CollectionNotAccepted', [chain.collection]),
  BatchNeedsMoreGas: deliveryInterface.encodeErrorResult('BatchNeedsMoreGas', [1n, 2n]),
}

test.each(Object.keys(forged) as (keyof typeof forged)[])(
  'a recipient that reverts with %s is refused like any other',
  async (name) => {
    const work = await givenWork(minting)
    const wallet = await deployRecipient(minting, 'ForgingWallet', forged[name], false)
    const { status, body } = await minting.callInternal('/internal/deliverable', {
      to: wallet,
      tokens: [{ token: work.token, ownerId: work.creatorId }],
    })
    expect({ status, body }).toMatchObject({ status: 200, body: { tokens: [{ code: 'recipient_refuses' }] } })

    const line = await sell(work, wallet)
    await untilState(minting, line.lineId, 'failed')
    expect(await until(() => failuresOf(line.lineId)[0])).toMatchObject({ reason: 'recipient_refuses' })
  },
)

test('a recipient that reverts with HourlyLimitReached in a batch fails, and the other line is delivered', async () => {
  const hostile = await deploySleepingRecipient(minting, 'ForgingWallet', forged.HourlyLimitReached, true)
  const wallets = [hostile.address, (await chain.newWallet()).address]
  const lines = []
  for (const wallet of wallets) lines.push(orderOf(await givenWork(minting), { wallet }))
  await minting.stop()
  for (const line of lines) await db.transaction().execute((trx) => acceptDelivery(trx, line, []))
  chain.proxy.fail({ eth_sendRawTransaction: 'before' })
  await minting.start()
  for (const { lineId } of lines) await untilState(minting, lineId, 'signed')
  await hostile.wake()
  chain.proxy.heal()

  await untilState(minting, lines[1]!.lineId, 'final')
  await untilState(minting, lines[0]!.lineId, 'failed')
  const [refused, delivered] = await Promise.all(lines.map(({ lineId }) => deliveryOf(minting, lineId)))
  expect(refused).toMatchObject({ reason: 'refused', transactionId: delivered!.transactionId })
})
