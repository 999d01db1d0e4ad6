import { testLog } from '@nifty/service-kit/testing/log'
import { toQuantity } from 'ethers'
import { expect, test } from 'vitest'
import { quantity } from '../chain/block.ts'
import { readChainState } from '../chain-transactions/chain-state.ts'
import { listSigners } from '../chain-transactions/signer.store.ts'
import { createChainContext } from '../create-chain-context.ts'
import { startTestMinting } from '../testing/minting.ts'
import { createReadinessCheck } from './readiness.ts'

const minting = await startTestMinting()
const { chain, db, config } = minting
await minting.until(async () => (await listSigners(db)).length > 0)
const created = createChainContext({ db, log: testLog, config })
const context = { ...created, settings: { ...created.settings, pollMs: 3_600_000 } }
// On a busy machine the first final block is indexed later.
await minting.until(async () => (await readChainState(context)).refusal === null)
const { signer, provider, proxy } = chain
const setBalance = (wei: bigint) => provider.send('anvil_setBalance', [signer.address, toQuantity(wei)])
const balancesRead = () => proxy.methods.filter((method) => method === 'eth_getBalance').length

test('purchases that start within one poll share what is read of the signers, and a refusal reads it again', async () => {
  const assertReady = createReadinessCheck(context)
  const before = balancesRead()
  const all = await Promise.all(Array.from({ length: 20 }, () => assertReady(1)))
  expect(new Set(all.map(({ address }) => address))).toEqual(new Set([signer.address]))
  expect(balancesRead()).toBe(before + 1)

  await expect(assertReady(10 ** 9)).rejects.toMatchObject({ code: 'gas_low' })
  await setBalance(10n ** 13n)
  await expect(assertReady(1)).rejects.toMatchObject({ code: 'gas_low' })
  await setBalance(10n ** 21n)
  expect(await assertReady(1)).toMatchObject({ address: signer.address })
  expect(balancesRead()).toBe(before + 3)
})

test('an error of the node is not shared with later purchases', async () => {
  const assertReady = createReadinessCheck(context)
  proxy.fail({ '*': 'before' })
  await expect(assertReady(1)).rejects.toThrow()
  proxy.heal()
  expect(await assertReady(1)).toMatchObject({ address: signer.address })
})

test.each([
  ['newest', 'chain_late'],
  ['newest indexed', 'finality_late'],
] as const)('no purchase starts while the %s block is older than ten minutes', async (name, refusal) => {
  const assertReady = createReadinessCheck(context)
  await minting.stop()
  const tag = name === 'newest' ? 'latest' : quantity((await context.index.lastBlock())!)
  const block = await provider.send('eth_getBlockByNumber', [tag, false])
  const atAge = (seconds: number) => {
    const timestamp = toQuantity(Math.floor(Date.now() / 1_000) - seconds)
    proxy.heal()
    proxy.intercept(({ method, params }) =>
      method === 'eth_getBlockByNumber' && params[0] === tag ? { result: { ...block, timestamp } } : undefined,
    )
  }
  atAge(605)
  await expect(assertReady(1)).rejects.toMatchObject({ statusCode: 503, code: 'chain_late' })
  expect(await readChainState(context)).toMatchObject({ refusal })
  atAge(560)
  expect(await assertReady(1)).toMatchObject({ address: signer.address })
  proxy.heal()
  await minting.start()
})
