import type { Wallet } from 'ethers'
import { expect, test } from 'vitest'
import type { SignedPermit } from '../src/permit.ts'
import { expectRevert, startStore } from './testing/store.ts'

const { collection, collectionAs, addresses, provider, newWallet, mintTo, signPermit, deployRecipient } =
  await startStore()

const newWork = async () => {
  const holder = await newWallet()
  return { holder, id: await mintTo(holder.address) }
}
const permit = async (by: Wallet, id: bigint, { deadline, signature }: SignedPermit) =>
  (await collectionAs(by).permit(addresses.delivery, id, deadline, signature)).wait()
const transfer = async (from: Wallet, to: Wallet, id: bigint) =>
  (await collectionAs(from).transferFrom(from.address, to.address, id)).wait()

test('a permit of the owner may be submitted by any account, and repeatedly', async () => {
  const { holder, id } = await newWork()
  const anyone = await newWallet()
  const signed = await signPermit(holder, id)

  await permit(anyone, id, signed)
  await permit(anyone, id, signed)

  expect(await collection.getApproved(id)).toBe(addresses.delivery)
})

test('an expired permit reverts', async () => {
  const { holder, id } = await newWork()
  const deadline = (await provider.getBlock('latest'))!.timestamp - 1
  const signed = await signPermit(holder, id, { deadline })
  await expectRevert(permit(holder, id, signed), 'PermitExpired', { tokenId: `${id}`, deadline: `${deadline}` })
})

test('a permit is valid only for its token, spender, contract, chain, nonce and deadline', async () => {
  const { holder, id } = await newWork()
  const other = await mintTo(holder.address)
  const { address: elsewhere } = await newWallet()
  const refuse = (signed: SignedPermit) =>
    expectRevert(permit(holder, id, signed), 'PermitInvalid', { owner: holder.address })

  await refuse(await signPermit(holder, other))
  await refuse(await signPermit(holder, id, { delivery: elsewhere }))
  await refuse(await signPermit(holder, id, { collection: elsewhere }))
  await refuse(await signPermit(holder, id, { chainId: 137 }))
  await refuse(await signPermit(holder, id, { name: 'Another' }))
  await refuse(await signPermit(holder, id, { nonce: 7n }))
  const right = await signPermit(holder, id)
  await refuse({ ...right, deadline: right.deadline + 1 })
  await refuse({ ...right, signature: '0x' })
  await permit(holder, id, right)
})

test("only the owner's signature is valid, not that of an operator of the owner", async () => {
  const { holder, id } = await newWork()
  const operator = await newWallet()
  await (await collectionAs(holder).setApprovalForAll(operator.address, true)).wait()
  await expectRevert(permit(operator, id, await signPermit(operator, id)), 'PermitInvalid')
})

test('a transfer invalidates permits, also when the token returns', async () => {
  const { holder, id } = await newWork()
  const friend = await newWallet()
  const signed = await signPermit(holder, id)
  await transfer(holder, friend, id)
  await transfer(friend, holder, id)

  await expectRevert(permit(holder, id, signed), 'PermitInvalid', { nonce: '2' })
  await permit(holder, id, await signPermit(holder, id))
})

test('voidPermits invalidates permits and removes the approval without a transfer', async () => {
  const { holder, id } = await newWork()
  const signed = await signPermit(holder, id)
  await permit(holder, id, signed)

  const anyone = await newWallet()
  await expectRevert(collectionAs(anyone).voidPermits(id), 'NotTokenOwner', {
    caller: anyone.address,
  })
  await (await collectionAs(holder).voidPermits(id)).wait()

  expect(await collection.getApproved(id)).toBe(`0x${'0'.repeat(40)}`)
  expect(await collection.nonces(id)).toBe(1n)
  await expectRevert(permit(holder, id, signed), 'PermitInvalid')
})

test('a contract wallet permits by ERC-1271', async () => {
  const person = await newWallet()
  const wallet = await deployRecipient('SignedWallet', person.address)
  const id = await mintTo(await wallet.getAddress())
  await permit(person, id, await signPermit(person, id))
  expect(await collection.getApproved(id)).toBe(addresses.delivery)
})

test('a permit of a token that does not exist reverts', async () => {
  const { holder, id } = await newWork()
  const signed = await signPermit(holder, id)
  await expectRevert(permit(holder, id + 1n, signed), 'ERC721NonexistentToken')
  await expectRevert(collection.nonces(id + 1n), 'ERC721NonexistentToken')
})

test('the EIP-712 domain is that of the typed data', async () => {
  const { name, version, chainId, verifyingContract } = await collection.eip712Domain()
  expect({ name, version, chainId, verifyingContract }).toEqual({
    name: 'Nifty',
    version: '1',
    chainId: 31337n,
    verifyingContract: addresses.collection,
  })
  expect(await collection.DOMAIN_SEPARATOR()).toMatch(/^0x[0-9a-f]{64}$/)
})
