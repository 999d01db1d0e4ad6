import type { Wallet } from 'ethers'
import { expect, test } from 'vitest'
import type { SignedPermit } from '../src/chain/permit.ts'
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

test('the owner approves the store with a signature that anybody may hand in, also twice', async () => {
  const { holder, id } = await newWork()
  const anyone = await newWallet()
  const signed = await signPermit(holder, id)

  await permit(anyone, id, signed)
  await permit(anyone, id, signed)

  expect(await collection.getApproved(id)).toBe(addresses.delivery)
})

test('an expired permit counts for nothing', async () => {
  const { holder, id } = await newWork()
  const deadline = (await provider.getBlock('latest'))!.timestamp - 1
  const signed = await signPermit(holder, id, { deadline })
  await expectRevert(permit(holder, id, signed), 'PermitExpired', { tokenId: `${id}`, deadline: `${deadline}` })
})

test('a permit counts only for what was signed: this token, spender, contract, chain, nonce and deadline', async () => {
  const { holder, id } = await newWork()
  const other = await mintTo(holder.address)
  const { address: elsewhere } = await newWallet()
  const refuse = (signed: SignedPermit) =>
    expectRevert(permit(holder, id, signed), 'PermitInvalid', { owner: holder.address })

  await refuse(await signPermit(holder, other))
  await refuse(await signPermit(holder, id, { delivery: elsewhere }))
  await refuse(await signPermit(holder, id, { collection: elsewhere }))
  await refuse(await signPermit(holder, id, { chainId: 137 }))
  await refuse(await signPermit(holder, id, { nonce: 7n }))
  const right = await signPermit(holder, id)
  await refuse({ ...right, deadline: right.deadline + 1 })
  await refuse({ ...right, signature: '0x' })
  await permit(holder, id, right)
})

test('only the owner signs: not somebody else, nor an operator of the owner', async () => {
  const { holder, id } = await newWork()
  const operator = await newWallet()
  await (await collectionAs(holder).setApprovalForAll(operator.address, true)).wait()
  await expectRevert(permit(operator, id, await signPermit(operator, id)), 'PermitInvalid')
})

test('a permit is void once the token has moved, even when it comes back', async () => {
  const { holder, id } = await newWork()
  const friend = await newWallet()
  const signed = await signPermit(holder, id)
  await transfer(holder, friend, id)
  await transfer(friend, holder, id)

  await expectRevert(permit(holder, id, signed), 'PermitInvalid', { nonce: '2' })
  await permit(holder, id, await signPermit(holder, id))
})

test('the owner takes back permits and the approval made from one without moving the token', async () => {
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

test('a contract wallet permits by its own rule', async () => {
  const person = await newWallet()
  const wallet = await deployRecipient('SignedWallet', person.address)
  const id = await mintTo(await wallet.getAddress())
  await permit(person, id, await signPermit(person, id))
  expect(await collection.getApproved(id)).toBe(addresses.delivery)
})

test('a token that does not exist has no permits', async () => {
  const { holder, id } = await newWork()
  const signed = await signPermit(holder, id)
  await expectRevert(permit(holder, id + 1n, signed), 'ERC721NonexistentToken')
  await expectRevert(collection.nonces(id + 1n), 'ERC721NonexistentToken')
})

test('the domain is the one that wallets are shown', async () => {
  const { name, version, chainId, verifyingContract } = await collection.eip712Domain()
  expect({ name, version, chainId, verifyingContract }).toEqual({
    name: 'Nifty',
    version: '1',
    chainId: 31337n,
    verifyingContract: addresses.collection,
  })
  expect(await collection.DOMAIN_SEPARATOR()).toMatch(/^0x[0-9a-f]{64}$/)
})
