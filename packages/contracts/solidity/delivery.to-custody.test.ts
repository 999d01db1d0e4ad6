import { ZeroHash } from 'ethers'
import { expect, test } from 'vitest'
import { type DeliveryLine, deliverCall, deliverManyCall } from '../src/calls.ts'
import { expectRevert, named, newKey, startStore } from './testing/store.ts'

const store = await startStore()
const { addresses, collection, delivery, send, newWallet, mintTo, mintIntoCustody, signPermit } = store
const token = addresses.collection

const beneficiary = (id: bigint) => delivery.beneficiaryOf(token, id)
const toCustody = (line: Omit<DeliveryLine, 'token' | 'lineId' | 'to'> & { account: string; lineId?: string }) =>
  ({ ...line, lineId: line.lineId ?? newKey(), token, to: { account: line.account } }) satisfies DeliveryLine
const single = (line: DeliveryLine) => send(deliverCall(addresses.delivery, line))
const newWork = async () => {
  const seller = await newWallet()
  const id = await mintTo(seller.address)
  return { id, from: { wallet: seller.address, permit: await signPermit(seller, id) } }
}

test('deliverToCustody out of custody changes the beneficiary and logs Delivered', async () => {
  const [seller, buyer, lineId] = [newKey(), newKey(), newKey()]
  const id = await mintIntoCustody(seller)

  const { events } = await single(toCustody({ lineId, id, account: buyer, from: { account: seller } }))

  expect(events).toEqual([
    { name: 'delivered', lineId, token, id, from: addresses.delivery, to: addresses.delivery },
    { name: 'beneficiary-changed', token, id, account: buyer, previous: seller, lineId },
  ])
  expect(await beneficiary(id)).toBe(buyer)
  expect(await collection.ownerOf(id)).toBe(addresses.delivery)
})

test('deliverToCustody out of a wallet deposits the token for the account', async () => {
  const [buyer, lineId] = [newKey(), newKey()]
  const { id, from } = await newWork()

  const { events } = await single(toCustody({ lineId, id, account: buyer, from }))

  expect(events).toEqual([
    { name: 'delivered', lineId, token, id, from: from.wallet, to: addresses.delivery },
    { name: 'transfer', token, id, from: from.wallet, to: addresses.delivery },
    { name: 'custody-in', token, id, account: buyer, from: from.wallet },
  ])
  expect(await beneficiary(id)).toBe(buyer)
})

test('a line is used once, whether it goes to a wallet or into custody', async () => {
  const [seller, buyer, lineId] = [newKey(), newKey(), newKey()]
  const id = await mintIntoCustody(seller)
  await single(toCustody({ lineId, id, account: buyer, from: { account: seller } }))

  const again = toCustody({ lineId, id, account: newKey(), from: { account: buyer } })
  await expectRevert(single(again), 'LineUsed', { lineId })
  const { address } = await newWallet()
  await expectRevert(single({ ...again, to: address }), 'LineUsed', { lineId })
  await single({ ...again, lineId: newKey(), to: address })
  expect(await collection.ownerOf(id)).toBe(address)
})

test('deliverToCustody needs the present beneficiary or a permit, and another account than the present one', async () => {
  const seller = newKey()
  const id = await mintIntoCustody(seller)
  const inCustody = (from: string, account = newKey()) => single(toCustody({ id, account, from: { account: from } }))
  await expectRevert(inCustody(newKey()), 'NotBeneficiary', { account: seller })
  await expectRevert(inCustody(seller, seller), 'AlreadyInCustody', { account: seller })

  const wallet = await newWork()
  const permit = await signPermit(await newWallet(), wallet.id)
  const forged = toCustody({ id: wallet.id, account: newKey(), from: { ...wallet.from, permit } })
  await expectRevert(single(forged), 'PermitInvalid', { owner: wallet.from.wallet })
  await expectRevert(single({ ...forged, from: { account: seller } }), 'NotHolder', { holder: wallet.from.wallet })
  for (const source of [{ id, from: { account: seller } }, wallet])
    await expectRevert(single(toCustody({ ...source, account: ZeroHash })), 'AccountMissing')
  expect(await beneficiary(id)).toBe(seller)
})

test('deliverMany delivers lines to wallets and into custody, and a line that names both is refused', async () => {
  const [seller, buyer] = [newKey(), newKey()]
  const id = async () => mintIntoCustody(seller)
  const from = { account: seller }
  const { address } = await newWallet()
  const custody = toCustody({ id: await id(), account: buyer, from })
  const wallet = { lineId: newKey(), token, id: await id(), to: address, from }
  const deposit = toCustody({ ...(await newWork()), account: buyer })
  const wrong = toCustody({ id: await id(), account: buyer, from: { account: newKey() } })
  const both = [newKey(), token, addresses.delivery, address, buyer, await id(), seller] as const

  const { events } = await send(deliverManyCall(addresses.delivery, [custody, wallet, wrong, deposit]))
  expect(named(events, 'delivered')).toMatchObject([
    { lineId: custody.lineId, to: addresses.delivery },
    { lineId: wallet.lineId, to: address },
    { lineId: deposit.lineId, to: addresses.delivery },
  ])
  expect(named(events, 'refused')).toMatchObject([{ lineId: wrong.lineId, reason: { name: 'NotBeneficiary' } }])
  expect([await beneficiary(custody.id), await beneficiary(deposit.id)]).toEqual([buyer, buyer])

  const data = delivery.interface.encodeFunctionData('deliverMany', [[both]])
  const refused = named((await send({ to: addresses.delivery, data })).events, 'refused')
  expect(refused).toMatchObject([{ lineId: both[0], reason: { name: 'RecipientNotAllowed', args: { to: address } } }])
})
