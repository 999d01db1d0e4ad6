import { concat, type Wallet } from 'ethers'
import { expect, test } from 'vitest'
import { deliverCall } from '../src/calls.ts'
import type { SignedPermit } from '../src/permit.ts'
import { expectRevert, newKey, startStore } from './testing/store.ts'

const store = await startStore()
const { addresses, collection, delivery, provider, send, newWallet, mintTo, signPermit } = store
const token = addresses.collection

const newWork = async () => {
  const seller = await newWallet()
  return { seller, id: await mintTo(seller.address), buyer: (await newWallet()).address }
}
const line = (wallet: string, id: bigint, to: string, permit: SignedPermit, lineId = newKey()) =>
  deliverCall(addresses.delivery, { lineId, token, id, to, from: { wallet, permit } })
const rawLine = (from: Wallet, id: bigint, to: string, permit: string) => ({
  to: addresses.delivery,
  data: delivery.interface.encodeFunctionData('deliver', [newKey(), token, from.address, to, id, permit]),
})

test('deliver out of a wallet needs only the seller’s permit', async () => {
  const { seller, id, buyer } = await newWork()
  const lineId = newKey()

  const { events } = await send(line(seller.address, id, buyer, await signPermit(seller, id), lineId))

  expect(events).toEqual([
    { name: 'delivered', lineId, token, id, from: seller.address, to: buyer },
    { name: 'transfer', token, id, from: seller.address, to: buyer },
  ])
  expect(await collection.ownerOf(id)).toBe(buyer)
})

test('a permit that another account submits first does not affect the delivery', async () => {
  const { seller, id, buyer } = await newWork()
  const permit = await signPermit(seller, id)
  const meddler = store.collectionAs(await newWallet())
  await (await meddler.permit(addresses.delivery, id, permit.deadline, permit.signature)).wait()
  await send(line(seller.address, id, buyer, permit))
  expect(await collection.ownerOf(id)).toBe(buyer)
})

test('a permit is valid for one sale, also when the token returns to the seller', async () => {
  const { seller, id } = await newWork()
  const buyer = await newWallet()
  const permit = await signPermit(seller, id)
  await send(line(seller.address, id, buyer.address, permit))

  const { address: other } = await newWallet()
  await expectRevert(send(line(seller.address, id, other, permit)), 'NotHolder', { holder: buyer.address })
  await expectRevert(send(line(buyer.address, id, other, permit)), 'PermitInvalid', { owner: buyer.address })
  await (await store.collectionAs(buyer).transferFrom(buyer.address, seller.address, id)).wait()
  await expectRevert(send(line(seller.address, id, other, permit)), 'PermitInvalid', { nonce: '2' })
})

test('an expired or foreign permit reverts and leaves the line id unused', async () => {
  const { seller, id, buyer } = await newWork()
  const lineId = newKey()
  const past = (await provider.getBlock('latest'))!.timestamp - 1

  const expired = await signPermit(seller, id, { deadline: past })
  await expectRevert(send(line(seller.address, id, buyer, expired, lineId)), 'PermitExpired')
  const forged = await signPermit(await newWallet(), id)
  await expectRevert(send(line(seller.address, id, buyer, forged, lineId)), 'PermitInvalid')

  expect(await delivery.isLineUsed(lineId)).toBe(false)
  await send(line(seller.address, id, buyer, await signPermit(seller, id), lineId))
})

test('an approval without a permit does not suffice', async () => {
  const { seller, id, buyer } = await newWork()
  await (await store.collectionAs(seller).setApprovalForAll(addresses.delivery, true)).wait()

  await expectRevert(send(rawLine(seller, id, buyer, '0x')), 'PermitMalformed', { length: '0' })
  await expectRevert(send(rawLine(seller, id, buyer, newKey())), 'PermitMalformed', { length: '32' })
  await expectRevert(send(rawLine(seller, id, buyer, concat([newKey(), newKey(), newKey(), newKey()]))), 'Silent')
  expect(await collection.ownerOf(id)).toBe(seller.address)
})

test('a voided permit delivers nothing', async () => {
  const { seller, id, buyer } = await newWork()
  const permit = await signPermit(seller, id)
  await (await store.collectionAs(seller).voidPermits(id)).wait()
  await expectRevert(send(line(seller.address, id, buyer, permit)), 'PermitInvalid', { nonce: '1' })
})

test('a contract wallet sells by the signature of its owner', async () => {
  const person = await newWallet()
  const wallet = await (await store.deployRecipient('SignedWallet', person.address)).getAddress()
  const id = await mintTo(wallet)
  const { address: buyer } = await newWallet()
  const stolen = await signPermit(await newWallet(), id)

  await expectRevert(send(line(wallet, id, buyer, stolen)), 'PermitInvalid', { owner: wallet })
  await send(line(wallet, id, buyer, await signPermit(person, id)))
  expect(await collection.ownerOf(id)).toBe(buyer)
})
