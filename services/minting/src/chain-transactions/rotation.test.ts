import { deliveryFailed, deliveryFinal } from '@nifty/events/minting'
import type { Wallet } from 'ethers'
import { beforeEach, expect, test } from 'vitest'
import { authorise, deliveryOf, givenWork, untilState } from '../testing/fixtures.ts'
import { startTestMinting, type TestMinting } from '../testing/minting.ts'

let minting: TestMinting

beforeEach(async () => {
  const ends: (() => Promise<void>)[] = []
  minting = await startTestMinting({ cleanUp: (end) => ends.unshift(end) })
  return async () => {
    for (const end of ends) await end()
  }
})

const openTransactions = () =>
  minting.db.selectFrom('chainTransaction').selectAll().where('state', '<>', 'final').execute()

/** A delivery that the configured key signed, in no block. */
async function givenSigned({ deliverInMs }: { deliverInMs?: number } = {}) {
  const work = await givenWork(minting)
  await minting.until(async () => (await openTransactions()).length === 0)
  await minting.chain.mineEachTransaction(false)
  const buyer = (await minting.chain.newWallet()).address
  const deliverBy = deliverInMs === undefined ? undefined : new Date(Date.now() + deliverInMs)
  const order = await authorise(minting, work, { wallet: buyer, deliverBy })
  await untilState(minting, order.lineId, 'signed', { mining: false })
  return { work, buyer, lineId: order.lineId }
}

/** Stops minting, lets the chain change, and starts minting with these keys. */
async function restartWith(keys: Wallet[], meanwhile: () => Promise<void> = async () => {}) {
  await minting.stop()
  await meanwhile()
  minting.config.chain.signerKeys = keys.map(({ privateKey }) => privateKey)
  await minting.start()
}

async function expectDelivered({ work, buyer, lineId }: Awaited<ReturnType<typeof givenSigned>>) {
  await untilState(minting, lineId, 'final')
  expect(await minting.chain.ownerOf(work.identifier)).toBe(buyer)
  await minting.until(() => minting.published(deliveryFinal).length > 0)
  expect(minting.published(deliveryFailed)).toEqual([])
}

test('the key was replaced while its transaction was dropped: the stored bytes are broadcast without the key', async () => {
  const { chain } = minting
  const line = await givenSigned({ deliverInMs: 6_000 })
  const next = await chain.newWallet()
  await restartWith([next], async () => {
    await chain.provider.send('anvil_dropAllTransactions', [])
    await chain.mineEachTransaction(true)
    await chain.grantSigner(next.address)
    await chain.mine(5)
  })
  await minting.until(async () => (await deliveryOf(minting, line.lineId)).state !== 'signed')
})

test('the key was replaced and its role removed after a drop: another key delivers', async () => {
  const { chain } = minting
  const line = await givenSigned()
  const next = await chain.newWallet()
  await restartWith([next], async () => {
    await chain.provider.send('anvil_dropAllTransactions', [])
    await chain.mineEachTransaction(true)
    await chain.grantSigner(next.address)
    await chain.revokeSigner(chain.signer.address)
    await chain.mine(5)
  })
  await expectDelivered(line)

  const again = { address: chain.signer.address, state: 'active', reason: 'a test' }
  expect(await minting.callInternal('/internal/ops/set-signer-state', again)).toMatchObject({
    status: 409,
    body: { code: 'signer_retired' },
  })
})

test('the transaction of a key without its role is mined and reverts: another key delivers', async () => {
  const { chain } = minting
  const line = await givenSigned()
  const next = await chain.newWallet()
  await restartWith([next], async () => {
    const pending = await minting.db
      .selectFrom('attempt')
      .select('raw')
      .orderBy('createdAt', 'desc')
      .executeTakeFirstOrThrow()
    await chain.provider.send('anvil_dropAllTransactions', [])
    await chain.mineEachTransaction(true)
    await chain.grantSigner(next.address)
    await chain.revokeSigner(chain.signer.address)
    await chain.provider.send('eth_sendRawTransaction', [pending.raw])
  })
  await expectDelivered(line)
})

test('a thief used the nonce: after the removal of the role another key delivers', async () => {
  const { chain } = minting
  const line = await givenSigned()
  const next = await chain.newWallet()
  await restartWith([next], async () => {
    await chain.provider.send('anvil_dropAllTransactions', [])
    await chain.mineEachTransaction(true)
    await (await chain.signer.sendTransaction({ to: next.address, value: 1n })).wait()
    await chain.grantSigner(next.address)
    await chain.revokeSigner(chain.signer.address)
  })
  await expectDelivered(line)
})
