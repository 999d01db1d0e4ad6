import { concat, type Wallet } from 'ethers'
import { expect, test } from 'vitest'
import { deliverCall } from '../src/chain/calls.ts'
import type { SignedPermit } from '../src/chain/permit.ts'
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

test('a permit of the seller is all it takes to deliver from the seller’s wallet', async () => {
  const { seller, id, buyer } = await newWork()
  const lineId = newKey()

  const { events } = await send(line(seller.address, id, buyer, await signPermit(seller, id), lineId))

  expect(events).toEqual([
    { name: 'delivered', lineId, token, id, from: seller.address, to: buyer },
    { name: 'transfer', token, id, from: seller.address, to: buyer },
  ])
  expect(await collection.ownerOf(id)).toBe(buyer)
})

test('somebody who hands in the permit first changes nothing', async () => {
  const { seller, id, buyer } = await newWork()
  const permit = await signPermit(seller, id)
  const meddler = store.collectionAs(await newWallet())
  await (await meddler.permit(addresses.delivery, id, permit.deadline, permit.signature)).wait()
  await send(line(seller.address, id, buyer, permit))
  expect(await collection.ownerOf(id)).toBe(buyer)
})

test('a token sold once is not sold again under the same permit, wherever it has been meanwhile', async () => {
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

test('an expired permit, or one of somebody else, delivers nothing and leaves the line unused', async () => {
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

test('a standing approval is no permit: the seller must have said it for this holding', async () => {
  const { seller, id, buyer } = await newWork()
  await (await store.collectionAs(seller).setApprovalForAll(addresses.delivery, true)).wait()

  await expectRevert(send(rawLine(seller, id, buyer, '0x')), 'PermitMalformed', { length: '0' })
  await expectRevert(send(rawLine(seller, id, buyer, newKey())), 'PermitMalformed', { length: '32' })
  await expectRevert(send(rawLine(seller, id, buyer, concat([newKey(), newKey(), newKey(), newKey()]))), 'Silent')
  expect(await collection.ownerOf(id)).toBe(seller.address)
})

test('the seller who took the permit back keeps the token', async () => {
  const { seller, id, buyer } = await newWork()
  const permit = await signPermit(seller, id)
  await (await store.collectionAs(seller).voidPermits(id)).wait()
  await expectRevert(send(line(seller.address, id, buyer, permit)), 'PermitInvalid', { nonce: '1' })
})

test('a contract wallet sells by the signature of the person behind it', async () => {
  const person = await newWallet()
  const wallet = await (await store.deployRecipient('SignedWallet', person.address)).getAddress()
  const id = await mintTo(wallet)
  const { address: buyer } = await newWallet()
  const stolen = await signPermit(await newWallet(), id)

  await expectRevert(send(line(wallet, id, buyer, stolen)), 'PermitInvalid', { owner: wallet })
  await send(line(wallet, id, buyer, await signPermit(person, id)))
  expect(await collection.ownerOf(id)).toBe(buyer)
})
