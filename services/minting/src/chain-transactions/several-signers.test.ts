import { deliveryAt } from '@nifty/contracts/contract'
import { deliveryStarted } from '@nifty/events/minting'
import { toQuantity, type Wallet } from 'ethers'
import { beforeEach, describe, expect, test } from 'vitest'
import { authorise, deliveryOf, givenWork, untilState, type Work } from '../testing/fixtures.ts'
import { startTestMinting, type TestMinting } from '../testing/minting.ts'

let minting: TestMinting
let other: Wallet

/** Minting with two signers, idle. */
beforeEach(async () => {
  const ends: (() => Promise<void>)[] = []
  minting = await startTestMinting({ cleanUp: (end) => ends.unshift(end) })
  const { chain } = minting
  other = await chain.newWallet()
  await chain.grantSigner(other.address)
  await restart(() => {
    minting.config.chain.signerKeys = [chain.signer.privateKey, other.privateKey]
  })
  return async () => {
    for (const end of ends) await end()
  }
})

async function restart(meanwhile: () => unknown) {
  await minting.stop()
  await meanwhile()
  await minting.start()
}

const transactions = () => minting.db.selectFrom('chainTransaction').selectAll().orderBy('signedAt').execute()
const untilIdle = () => minting.until(async () => (await transactions()).every(({ state }) => state === 'final'))
const signers = async () => (await minting.callInternal('/internal/ops/status')).body.signers as any[]
const signerOf = async (lineId: string) => {
  const { transactionId } = await deliveryOf(minting, lineId)
  return (await transactions()).find(({ id }) => id === transactionId)!.signer
}
const canBuy = async ({ token, creatorId }: Work) =>
  (await minting.callInternal('/internal/deliverable', { tokens: [{ token, ownerId: creatorId }] })).status

async function authoriseLine(work: Work) {
  const buyer = (await minting.chain.newWallet()).address
  return { work, buyer, lineId: (await authorise(minting, work, { wallet: buyer })).lineId }
}
type Line = Awaited<ReturnType<typeof authoriseLine>>

async function expectDelivered({ work, buyer, lineId }: Line) {
  await untilState(minting, lineId, 'final')
  expect(await minting.chain.ownerOf(work.identifier)).toBe(buyer)
  expect(minting.published(deliveryStarted).filter((started) => started.lineId === lineId)).toHaveLength(1)
}

/** Each signer's nonces are those of its account on the chain, without gaps and without duplicates. */
async function expectNonces() {
  await untilIdle()
  for (const { address } of await signers()) {
    const nonces = (await transactions()).filter(({ signer }) => signer === address).map(({ nonce }) => nonce)
    expect(nonces).toEqual(nonces.map((_, index) => index))
    expect(await minting.chain.provider.getTransactionCount(address)).toBe(nonces.length)
  }
}

/** Two lines in no block, each signed by another signer. */
async function givenLineOfEach(): Promise<Line[]> {
  const works = [await givenWork(minting), await givenWork(minting)]
  await untilIdle()
  await minting.chain.mineEachTransaction(false)
  const lines: Line[] = []
  for (const work of works) {
    const line = await authoriseLine(work)
    await untilState(minting, line.lineId, 'signed', { mining: false })
    lines.push(line)
  }
  const used = await Promise.all(lines.map(({ lineId }) => signerOf(lineId)))
  expect(used.sort()).toEqual([minting.chain.signer.address, other.address].sort())
  return lines
}

describe('killed with a line of each signer', () => {
  const pool = async () => Number((await minting.chain.provider.send('txpool_status', [])).pending)
  const points: Record<string, () => Promise<unknown>> = {
    'signed, not broadcast': async () => {
      await minting.stop()
      await minting.chain.provider.send('anvil_dropAllTransactions', [])
    },
    'broadcast, not mined': () => minting.until(async () => (await pool()) === 2, { mining: false }),
    'mined while it is down': async () => {
      await minting.until(async () => (await pool()) === 2, { mining: false })
      await minting.stop()
      await minting.chain.mine(5)
    },
    'mined, not final': async () => {
      await minting.until(async () => (await pool()) === 2, { mining: false })
      await minting.chain.mine(1)
      const mined = async () => (await transactions()).filter(({ state }) => state === 'mined')
      await minting.until(async () => (await mined()).length === 2, { mining: false })
    },
    'one mined, one dropped': async () => {
      const line = (await transactions()).at(-1)!
      await minting.until(async () => (await pool()) === 2, { mining: false })
      await minting.stop()
      await minting.chain.provider.send('anvil_removePoolTransactions', [line.signer])
      await minting.chain.mine(1)
    },
  }
  test.each(Object.keys(points))('%s: both are delivered once', async (point) => {
    const lines = await givenLineOfEach()
    await points[point]!()
    await restart(() => minting.chain.mineEachTransaction(true))
    for (const line of lines) await expectDelivered(line)
    await expectNonces()
  })
})

test('a foreign nonce halts its signer only: the other one sells, and the halted one is resumed by its address', async () => {
  const { chain } = minting
  const [work, next] = [await givenWork(minting), await givenWork(minting)]
  await untilIdle()
  const halted = (await transactions()).at(-1)!.signer === chain.signer.address ? chain.signer : other
  const going = halted === other ? chain.signer : other
  await minting.stop()
  await (await halted.sendTransaction({ to: chain.owner.address, value: 1n })).wait()
  await chain.mine(5)
  await minting.start()
  await minting.until(async () => (await signers()).find(({ address }) => address === halted.address).haltedReason)

  expect((await signers()).find(({ address }) => address === going.address).haltedReason).toBeNull()
  expect(await canBuy(work)).toBe(200)
  const line = await authoriseLine(work)
  await expectDelivered(line)
  expect(await signerOf(line.lineId)).toBe(going.address)

  const resume = (address: string) => minting.callInternal('/internal/ops/resume-signer', { address, reason: 'a test' })
  expect((await resume(going.address)).status).toBe(409)
  expect((await resume('0x12')).status).toBe(400)
  expect((await resume(halted.address)).status).toBe(200)
  expect((await signers()).every(({ haltedReason }) => haltedReason === null)).toBe(true)
  await expectDelivered(await authoriseLine(next))
})

test('a reorg past finality halts all signers', async () => {
  await givenWork(minting)
  await untilIdle()
  await minting.chain.mine(3)
  const index = async () => (await minting.callInternal('/internal/ops/status')).body.index
  await minting.until(async () => (await index()).block === (await index()).finalBlock, { mining: false })
  await minting.chain.provider.send('anvil_reorg', [7, []])
  await minting.until(async () => (await index()).haltedReason)
  for (const { haltedReason } of await signers()) expect(haltedReason).toContain('was final')
})

test('purchases need the gas money of all usable signers together', async () => {
  const { chain } = minting
  const work = await givenWork(minting)
  await untilIdle()
  const fund = ({ address }: Wallet, wei: bigint) => chain.provider.send('anvil_setBalance', [address, toQuantity(wei)])
  await fund(chain.signer, 10n ** 13n)
  expect(await canBuy(work)).toBe(200)
  const line = await authoriseLine(work)
  await expectDelivered(line)
  expect(await signerOf(line.lineId)).toBe(other.address)
  await fund(other, 10n ** 13n)
  expect(await canBuy(line.work)).toBe(503)
})

test('a signer without its roles signs nothing, and a sale waits instead of failing', async () => {
  const { chain } = minting
  const work = await givenWork(minting)
  await untilIdle()
  await chain.revokeSigner(chain.signer.address)
  const line = await authoriseLine(work)
  await expectDelivered(line)
  expect(await signerOf(line.lineId)).toBe(other.address)
})

test('a signer without moves left in this hour signs no delivery; without any such signer a sale waits', async () => {
  const { chain } = minting
  const works = [await givenWork(minting), await givenWork(minting), await givenWork(minting)]
  await untilIdle()
  const limitTo = async (moves: number) => (await deliveryAt(chain.delivery, chain.owner).setLimitPerHour(moves)).wait()
  // At the start of an hour of the chain, so that none ends meanwhile.
  const { timestamp } = (await chain.provider.getBlock('latest'))!
  await chain.provider.send('evm_setNextBlockTimestamp', [(Math.floor(timestamp / 3600) + 1) * 3600])
  await limitTo(1)
  // Each while both queues are empty, so that the same signer comes first.
  const first = await authoriseLine(works[0]!)
  await expectDelivered(first)
  await untilIdle()
  const second = await authoriseLine(works[1]!)
  await expectDelivered(second)
  expect(await signerOf(first.lineId)).not.toBe(await signerOf(second.lineId))

  const third = await authoriseLine(works[2]!)
  await minting.untilPolled(60)
  expect((await deliveryOf(minting, third.lineId)).state).toBe('waiting')
  await chain.passDelay()
  await expectDelivered(third)
})

test('neither signer receives tokens', async () => {
  const { lineId } = await authorise(minting, await givenWork(minting), { wallet: other.address })
  await untilState(minting, lineId, 'failed')
  expect((await deliveryOf(minting, lineId)).reason).toBe('recipient_refuses')
})
