import { expect, test } from 'vitest'
import { deliverCall, deliverManyCall, mintBatchCall, mintCall } from '../src/calls.ts'
import { named, newKey, startStore, work } from './testing/store.ts'

const { addresses, send, newWallet, mintTo, mintIntoCustody, signPermit } = await startStore()
const { collection: token, delivery } = addresses

const custodyLine = async (account: string) => ({
  lineId: newKey(),
  token,
  id: await mintIntoCustody(account),
  to: (await newWallet()).address,
  from: { account },
})

// Upper bounds, slightly above the measured values (README): more gas makes every sale more expensive.
test('the gas of mints and deliveries stays within its bounds', async () => {
  const account = newKey()
  await mintIntoCustody(account)
  const { address: to } = await newWallet()
  const royalty = { receiver: to, bps: 750 }
  const order = () => ({ mintId: newKey(), to: delivery, account, royalty, ...work })
  const seller = await newWallet()
  const [sold, soldToCustody] = [await mintTo(seller.address), await mintTo(seller.address)]
  // The first token of a signer in an hour costs more: it sets the counter.
  await send(deliverCall(delivery, await custodyLine(account)))

  const single = await send(mintCall(token, order()))
  const wallet = await send(mintCall(token, { mintId: newKey(), to, ...work }))
  const mints = await send(mintBatchCall(token, Array.from({ length: 20 }, order)))
  const delivered = await send(deliverCall(delivery, await custodyLine(account)))
  const permit = await signPermit(seller, sold)
  const permitted = await send(
    deliverCall(delivery, { lineId: newKey(), token, id: sold, to, from: { wallet: seller.address, permit } }),
  )
  const toCustody = { account: newKey() }
  const inside = await send(deliverCall(delivery, { ...(await custodyLine(account)), to: toCustody }))
  const deposit = await signPermit(seller, soldToCustody)
  const fromWallet = { wallet: seller.address, permit: deposit }
  const deposited = await send(
    deliverCall(delivery, { lineId: newKey(), token, id: soldToCustody, to: toCustody, from: fromWallet }),
  )
  const lines = []
  for (let i = 0; i < 20; i++) lines.push(await custodyLine(account))
  const many = await send(deliverManyCall(delivery, lines))
  const insideLines = []
  for (let i = 0; i < 20; i++) insideLines.push({ ...(await custodyLine(account)), to: toCustody })
  const manyInside = await send(deliverManyCall(delivery, insideLines))

  expect([named(mints.events, 'minted').length, named(many.events, 'delivered').length]).toEqual([20, 20])
  expect(named(manyInside.events, 'delivered')).toHaveLength(20)
  const gas = {
    mintIntoCustody: single.gasUsed,
    mintToWallet: wallet.gasUsed,
    mintInBatchOf20: mints.gasUsed / 20,
    deliverFromCustody: delivered.gasUsed,
    deliverWithPermit: permitted.gasUsed,
    deliverInBatchOf20: many.gasUsed / 20,
    deliverInsideCustody: inside.gasUsed,
    deliverToCustodyWithPermit: deposited.gasUsed,
    deliverInsideCustodyInBatchOf20: manyInside.gasUsed / 20,
  }
  if (process.env.PRINT_GAS) process.stdout.write(`${JSON.stringify(gas, null, 2)}\n`)
  const bounds = {
    mintIntoCustody: 154_000,
    mintToWallet: 119_000,
    mintInBatchOf20: 113_000,
    deliverFromCustody: 142_000,
    deliverWithPermit: 138_000,
    deliverInBatchOf20: 105_000,
    deliverInsideCustody: 80_000,
    deliverToCustodyWithPermit: 154_000,
    deliverInsideCustodyInBatchOf20: 48_000,
  }
  for (const [name, used] of Object.entries(gas)) expect(used, name).toBeLessThan(bounds[name as keyof typeof gas])
})
