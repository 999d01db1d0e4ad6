import { expect, test } from 'vitest'
import { deliveryOf, givenAcceptedMint, givenWork, orderOf, untilState } from '../testing/fixtures.ts'
import { startTestMinting } from '../testing/minting.ts'
import { deployRecipient, deploySleepingRecipient } from '../testing/recipients.ts'
import { acceptDelivery } from './delivery.actions.ts'

const minting = await startTestMinting()
const { chain, db, until } = minting

/** A wallet that is cheap in an estimate and burns all its gas in a block. */
const deployGasTrap = () => deployRecipient(minting, 'GasTrapWallet')

test('a recipient that burns its gas in the block fails alone, and the other lines of its batch are delivered', async () => {
  const trap = await deploySleepingRecipient(minting, 'GasTrapWallet')
  const buyers = [trap.address, (await chain.newWallet()).address, (await chain.newWallet()).address]
  const lines = []
  for (const wallet of buyers) lines.push(orderOf(await givenWork(minting), { wallet }))
  await minting.stop()
  for (const line of lines) await db.transaction().execute((trx) => acceptDelivery(trx, line, []))

  chain.proxy.fail({ eth_sendRawTransaction: 'before' })
  await minting.start()
  for (const { lineId } of lines) await untilState(minting, lineId, 'signed')
  await trap.wake()
  chain.proxy.heal()
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
