import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ContractFactory } from 'ethers'
import { expect, test } from 'vitest'
import { compileContracts } from '../chain/compile.ts'
import { deliveryOf, givenAcceptedMint, givenWork, orderOf, untilState } from '../testing/fixtures.ts'
import { startTestMinting } from '../testing/minting.ts'
import { acceptDelivery } from './delivery.actions.ts'

const minting = await startTestMinting()
const { chain, db, until } = minting

/** A wallet that is cheap in an estimate and burns all its gas in a block. */
async function deployGasTrap() {
  const contracts = await compileContracts({
    cacheDir: join(tmpdir(), 'nifty-contracts'),
    sources: ['testing/Recipients.sol'],
  })
  const { abi, bytecode } = contracts.GasTrapWallet!
  const contract = await new ContractFactory(abi, bytecode, await chain.newWallet()).deploy()
  return contract.getAddress()
}

test('a recipient that burns its gas in the block fails alone, and the other lines of its batch are delivered', async () => {
  const trap = await deployGasTrap()
  const buyers = [trap, (await chain.newWallet()).address, (await chain.newWallet()).address]
  const lines = []
  for (const wallet of buyers) lines.push(orderOf(await givenWork(minting), { wallet }))
  await minting.stop()
  for (const line of lines) await db.transaction().execute((trx) => acceptDelivery(trx, line, []))

  await minting.start()
  for (const { lineId } of lines.slice(1)) await untilState(minting, lineId, 'final')
  await untilState(minting, lines[0]!.lineId, 'failed')

  const [hostile, ...others] = await Promise.all(lines.map(({ lineId }) => deliveryOf(minting, lineId)))
  expect(hostile).toMatchObject({ reason: 'refused' })
  expect(new Set([hostile, ...others].map((delivery) => delivery!.transactionId)).size).toBe(1)
})

test('a creator’s wallet that burns its gas in the block fails alone, and the other works of its batch are minted', async () => {
  const trap = await deployGasTrap()
  await minting.stop()
  const wallets = [trap, null, null]
  const mints: string[] = []
  for (const wallet of wallets) mints.push((await givenAcceptedMint(minting, { wallet })).id)
  await minting.start()

  const rows = await until(async () => {
    const found = await db.selectFrom('mint').selectAll().where('id', 'in', mints).execute()
    return found.every(({ state }) => state === 'minted' || state === 'failed') ? found : undefined
  })

  expect(rows.map(({ state }) => state).sort()).toEqual(['failed', 'minted', 'minted'])
  expect(new Set(rows.map(({ transactionId }) => transactionId)).size).toBe(1)
})
