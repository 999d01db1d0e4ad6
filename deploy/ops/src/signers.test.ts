import { authorise, deliveryOf, givenWork, untilState, type Work } from '@nifty/minting/testing/fixtures'
import { startTestMinting, type TestMinting } from '@nifty/minting/testing/minting'
import { createServiceClient } from '@nifty/service-kit/http/client'
import { testCredential } from '@nifty/service-kit/testing/peers'
import { Wallet } from 'ethers'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { commands } from './commands.ts'
import type { Store } from './store.ts'

// The runbooks NiftySignerHalted (a stolen key) and NiftySignerKeyMissing (a lost one), step by step.
let minting: TestMinting

beforeEach(async () => {
  const ends: (() => Promise<void>)[] = []
  minting = await startTestMinting({ cleanUp: (end) => ends.unshift(end) })
  vi.stubEnv('CHAIN_RPC_URL', minting.chain.proxy.url)
  vi.stubEnv('CHAIN_OWNER_KEY', minting.chain.owner.privateKey)
  return async () => {
    vi.unstubAllEnvs()
    for (const end of ends) await end()
  }
})

/** Runs a command as `pnpm ops` does, while blocks are mined. */
async function ops(name: string, ...args: string[]) {
  const client = createServiceClient({ url: minting.internalUrl, credential: testCredential, name: 'minting' })
  const action = { reason: 'a test' }
  let settled = false
  const run = commands[name]!.run({ minting: client } as unknown as Store, args, action).finally(() => {
    settled = true
  })
  run.catch(() => {})
  await minting.until(() => settled)
  const report = await run
  return typeof report === 'string' ? report : report.text
}

async function restartWith(...keys: Wallet[]) {
  await minting.stop()
  minting.config.chain.signerKeys = keys.map(({ privateKey }) => privateKey)
  await minting.start()
}

const newestTransaction = () =>
  minting.db.selectFrom('chainTransaction').selectAll().orderBy('signedAt', 'desc').executeTakeFirstOrThrow()
const rawOf = async (transactionId: string) =>
  (
    await minting.db
      .selectFrom('attempt')
      .select('raw')
      .where('transactionId', '=', transactionId)
      .executeTakeFirstOrThrow()
  ).raw
const signerOf = async (lineId: string) => {
  const { transactionId } = await deliveryOf(minting, lineId)
  const row = minting.db.selectFrom('chainTransaction').select('signer').where('id', '=', transactionId)
  return (await row.executeTakeFirstOrThrow()).signer
}

type Line = { work: Work; buyer: string; lineId: string }

async function authoriseLine(work: Work): Promise<Line> {
  const buyer = (await minting.chain.newWallet()).address
  return { work, buyer, lineId: (await authorise(minting, work, { wallet: buyer })).lineId }
}

/** A delivery that the configured key signed and that no node has; minting is stopped. */
async function givenSignedLine(): Promise<Line & { raw: string }> {
  const work = await givenWork(minting)
  await minting.until(async () => (await newestTransaction()).state === 'final')
  minting.chain.proxy.fail({ eth_sendRawTransaction: 'before' })
  const line = await authoriseLine(work)
  await untilState(minting, line.lineId, 'signed', { mining: false })
  await minting.stop()
  minting.chain.proxy.heal()
  return { ...line, raw: await rawOf((await deliveryOf(minting, line.lineId)).transactionId!) }
}

const send = (method: string, ...parameters: unknown[]) => minting.chain.provider.send(method, parameters)

/** How far the delivery got when the key was stolen or lost. */
const points: Record<string, (line: Line & { raw: string }) => Promise<unknown>> = {
  'signed, not broadcast': async () => {},
  'broadcast, not mined': async ({ raw }) => {
    await minting.chain.mineEachTransaction(false)
    await send('eth_sendRawTransaction', raw)
  },
  dropped: async ({ raw }) => {
    await minting.chain.mineEachTransaction(false)
    await send('eth_sendRawTransaction', raw)
    await send('anvil_dropAllTransactions')
  },
  'mined, not final': ({ raw }) => send('eth_sendRawTransaction', raw),
  'replaced by a transaction of the thief': () =>
    minting.chain.signer.sendTransaction({ to: minting.chain.owner.address, value: 1n }),
}

async function expectDelivered({ work, buyer, lineId }: Line) {
  await untilState(minting, lineId, 'final')
  expect(await minting.chain.ownerOf(work.identifier)).toBe(buyer)
}

/** The old key is retired, its transactions are final, and a new sale is delivered by the new key. */
async function expectReplaced(old: Wallet, next: Wallet) {
  await minting.until(async () => {
    const list = await ops('signers list')
    return new RegExp(`${old.address} +retired +no key +none +0`).test(list)
  })
  const line = await authoriseLine(await givenWork(minting))
  await expectDelivered(line)
  expect(await signerOf(line.lineId)).toBe(next.address)
  await expect(ops('signers add', old.address)).rejects.toThrow('is retired')
}

describe('a stolen key', () => {
  test.each([...Object.keys(points), 'reverted without its role'])('with a delivery that is %s', async (point) => {
    const { chain } = minting
    const line = await givenSignedLine()
    await points[point]?.(line)
    await minting.start()
    await ops('signers remove', chain.signer.address)
    await chain.mineEachTransaction(true)
    if (!points[point]) await send('eth_sendRawTransaction', line.raw).catch(() => {})
    await restartWith(chain.standBy)
    await expectDelivered(line)
    await expectReplaced(chain.signer, chain.standBy)
  })
})

describe('a lost key', () => {
  test.each(Object.keys(points).filter((point) => !point.includes('thief')))(
    'with a delivery that is %s',
    async (point) => {
      const { chain } = minting
      const line = await givenSignedLine()
      await points[point]!(line)
      minting.config.chain.signerKeys = [chain.standBy.privateKey]
      await minting.start()
      await ops('signers remove', chain.signer.address)
      await chain.mineEachTransaction(true)
      await expectDelivered(line)
      await expectReplaced(chain.signer, chain.standBy)
    },
  )
})

test('a key that works is drained and replaced, and no sale fails meanwhile', async () => {
  const { chain } = minting
  const next = await chain.newWallet()
  const before = await authoriseLine(await givenWork(minting))
  expect(await ops('signers add', next.address)).toContain('is announced')
  await chain.passDelay()
  await restartWith(chain.signer, next)
  expect(await ops('signers drain', chain.signer.address)).toContain('at 0, run `pnpm ops signers remove')
  const during = await authoriseLine(await givenWork(minting))
  for (const line of [before, during]) await expectDelivered(line)
  expect(await signerOf(during.lineId)).toBe(next.address)
  await minting.until(async () => /draining +configured +both +0/.test(await ops('signers list')))
  await ops('signers remove', chain.signer.address)
  await restartWith(next)
  await expectReplaced(chain.signer, next)
})

test('once works exist, a new signer signs 48 hours after it was added, and until then the stand-by does', async () => {
  const { chain } = minting
  const next = await chain.newWallet()
  await givenWork(minting)
  await ops('signers remove', chain.signer.address)
  await restartWith(chain.standBy, next)
  const due = Number((await chain.provider.getBlock('latest'))!.timestamp) + 48 * 3600
  const announced = await ops('signers add', next.address)
  const from = Date.parse(/a signer from (\S+) on/.exec(announced)![1]!) / 1000
  expect(from).toBeGreaterThanOrEqual(due)
  expect(await ops('signers add', next.address)).toBe(announced)

  const first = await authoriseLine(await givenWork(minting))
  await expectDelivered(first)
  expect(await signerOf(first.lineId)).toBe(chain.standBy.address)
  expect(await ops('signers list')).toMatch(new RegExp(`${next.address} +active +configured +none`))

  await chain.passDelay()
  await ops('signers drain', chain.standBy.address)
  const second = await authoriseLine(await givenWork(minting))
  await expectDelivered(second)
  expect(await signerOf(second.lineId)).toBe(next.address)
})

test('an announcement is taken back by remove', async () => {
  const { chain } = minting
  await givenWork(minting)
  const { address } = await chain.newWallet()
  await ops('signers add', address)
  await ops('signers remove', address)
  await chain.passDelay()
  expect(await chain.deliveryOf.isSigner(address)).toBe(false)
})

test('draining the only signer says that nothing signs, also when it is resumed after a restore', async () => {
  const { address } = minting.chain.signer
  await givenWork(minting)
  const drained = await ops('signers drain', address)
  expect(drained).toContain('NO OTHER SIGNER IS ACTIVE')
  expect(drained).not.toContain('signers remove')
  await minting.db.updateTable('signer').set({ haltedAt: new Date(), haltedReason: 'restored' }).execute()
  expect(await ops('resume-signer')).toContain(`it is draining. If it is to sign: \`pnpm ops signers add ${address}\``)
  await ops('signers add', address)
  await minting.db.updateTable('signer').set({ haltedAt: new Date(), haltedReason: 'restored' }).execute()
  expect(await ops('resume-signer')).toContain('continues with nonce')
})

test('a new key is printed with its address', async () => {
  const printed = await commands['signers generate']!.run({} as Store, [], { reason: '' })
  const [, key, address] = /^CHAIN_SIGNER_KEY=(0x[0-9a-f]{64})\n# Its address: (0x\w+)/.exec(String(printed))!
  expect(new Wallet(key!).address).toBe(address)
})

test('remove works while minting is down, once the contracts are named', async () => {
  const { chain } = minting
  await minting.stop()
  await expect(ops('signers remove', chain.signer.address)).rejects.toThrow()
  vi.stubEnv('CHAIN_ID', '31337')
  vi.stubEnv('CHAIN_COLLECTION', chain.collection)
  vi.stubEnv('CHAIN_DELIVERY', chain.delivery)
  expect(await ops('signers remove', chain.signer.address)).toContain('Minting was not told')
  expect(await chain.collectionOf.isSigner(chain.signer.address)).toBe(false)
  expect(await chain.deliveryOf.isSigner(chain.signer.address)).toBe(false)
})

test('the contracts go to another owner in two steps, of which each can be repeated', async () => {
  const { chain } = minting
  vi.stubEnv('CHAIN_ID', '31337')
  vi.stubEnv('CHAIN_COLLECTION', chain.collection)
  vi.stubEnv('CHAIN_DELIVERY', chain.delivery)
  const next = await chain.newWallet()
  const owners = async () => [await chain.collectionOf.owner(), await chain.deliveryOf.owner()]

  vi.stubEnv('CHAIN_OWNER_KEY', next.privateKey)
  await expect(ops('owner transfer', next.address)).rejects.toThrow('CHAIN_OWNER_KEY is')
  await expect(ops('owner accept')).rejects.toThrow('CHAIN_OWNER_KEY is')
  vi.stubEnv('CHAIN_OWNER_KEY', chain.owner.privateKey)
  for (const _ of [1, 2]) expect(await ops('owner transfer', next.address)).toContain(next.address)
  expect(await owners()).toEqual([chain.owner.address, chain.owner.address])
  vi.stubEnv('CHAIN_OWNER_KEY', next.privateKey)
  for (const _ of [1, 2]) expect(await ops('owner accept')).toContain(next.address)
  expect(await owners()).toEqual([next.address, next.address])

  expect(await ops('signers add', (await chain.newWallet()).address)).toContain('a signer of both contracts')
  vi.stubEnv('CHAIN_OWNER_KEY', chain.owner.privateKey)
  await expect(ops('signers add', (await chain.newWallet()).address)).rejects.toThrow('CHAIN_OWNER_KEY is')
})

test('another key than the owner’s changes no role', async () => {
  vi.stubEnv('CHAIN_OWNER_KEY', minting.chain.signer.privateKey)
  await expect(ops('signers add', (await minting.chain.newWallet()).address)).rejects.toThrow('CHAIN_OWNER_KEY is')
})
