import { ZeroAddress } from 'ethers'
import { expect, test } from 'vitest'
import { deliverCall } from '../src/calls.ts'
import { collectionAt, deliveryAt } from '../src/contract.ts'
import { deployContracts } from '../src/deploy.ts'
import { expectRevert, newKey, startStore } from './testing/store.ts'

const store = await startStore()
const { addresses, owner, signer, newWallet, mintIntoCustody, send } = store
const token = addresses.collection

/** Both contracts take their owner and signers from the same source; each rule is held against each. */
const contracts = [
  ['collection', store.collectionAs, addresses.collection],
  ['delivery', store.deliveryAs, addresses.delivery],
] as const

test.each(contracts)(
  '%s: only the owner adds and removes signers, and invalid addresses revert',
  async (_, as, self) => {
    const { address } = await newWallet()
    await expectRevert(as(signer).addSigner(address), 'OwnableUnauthorizedAccount', { account: signer.address })
    await expectRevert(as(signer).removeSigner(signer.address), 'OwnableUnauthorizedAccount')
    await expectRevert(as(owner).addSigner(signer.address), 'SignerUnchanged', { signer: signer.address })
    await expectRevert(as(owner).removeSigner(address), 'SignerUnchanged', { signer: address })
    await expectRevert(as(owner).addSigner(ZeroAddress), 'SignerInvalid')
    await expectRevert(as(owner).addSigner(self), 'SignerInvalid', { signer: self })
  },
)

test.each(contracts)('%s: ownership is transferred in two steps and cannot be renounced', async (_, as) => {
  const next = await newWallet()
  await expectRevert(as(next).transferOwnership(next.address), 'OwnableUnauthorizedAccount')
  await expectRevert(as(owner).renounceOwnership(), 'OwnershipCannotBeRenounced', { owner: owner.address })
  await expectRevert(as(next).renounceOwnership(), 'OwnableUnauthorizedAccount')

  await (await as(owner).transferOwnership(next.address)).wait()
  expect(await as(owner).owner()).toBe(owner.address)
  await expectRevert(as(signer).acceptOwnership(), 'OwnableUnauthorizedAccount', { account: signer.address })
  await (await as(next).acceptOwnership()).wait()

  expect(await as(owner).owner()).toBe(next.address)
  await expectRevert(as(owner).addSigner(signer.address), 'OwnableUnauthorizedAccount')
  await (await as(next).transferOwnership(owner.address)).wait()
  await (await as(owner).acceptOwnership()).wait()
})

test('key rotation: two signers deliver, then only the new one', async () => {
  const next = await newWallet()
  const account = newKey()
  const deliver = async (by: typeof next) => {
    const id = await mintIntoCustody(account)
    const line = { lineId: newKey(), token, id, to: (await newWallet()).address, from: { account } }
    return send(deliverCall(addresses.delivery, line), by)
  }

  await (await store.deliveryAs(owner).addSigner(next.address)).wait()
  await deliver(signer)
  await deliver(next)
  await (await store.deliveryAs(owner).removeSigner(signer.address)).wait()
  await expectRevert(deliver(signer), 'NotSigner', { caller: signer.address })
  await deliver(next)
})

test('without a signer minting and delivery stop, and holders still transfer their tokens', async () => {
  const holder = await newWallet()
  const id = await store.mintTo(holder.address)
  await (await store.collectionAs(owner).removeSigner(signer.address)).wait()
  await expectRevert(store.mintTo(holder.address), 'NotSigner')
  const { address: friend } = await newWallet()
  await (await store.collectionAs(holder).transferFrom(holder.address, friend, id)).wait()
  expect(await store.collection.ownerOf(id)).toBe(friend)
})

test('the contracts are deployed for an owner other than the deployer, but not for the zero address', async () => {
  const { address: ownerAddress } = await newWallet()
  const deploy = async (changes: { ownerAddress?: string; signerAddress?: string }) =>
    deployContracts({
      provider: store.provider,
      deployerKey: (await newWallet()).privateKey,
      signerAddress: signer.address,
      baseUri: 'https://nifty.test',
      ...changes,
    })

  const { collection, delivery } = await deploy({ ownerAddress })

  expect(await collectionAt(collection, store.provider).owner()).toBe(ownerAddress)
  expect(await deliveryAt(delivery, store.provider).owner()).toBe(ownerAddress)
  await expectRevert(deploy({ ownerAddress: ZeroAddress }), 'OwnableInvalidOwner')
  await expectRevert(deploy({ signerAddress: ZeroAddress }), 'SignerInvalid')
})
