import { toQuantity, ZeroAddress } from 'ethers'
import { expect, test } from 'vitest'
import { deliverCall, mintCall } from '../src/calls.ts'
import { collectionAt, deliveryAt } from '../src/contract.ts'
import { deployContracts } from '../src/deploy.ts'
import { LOCAL_SETTINGS } from '../src/settings.ts'
import { DELAY_SECONDS, expectRevert, newKey, startStore, work } from './testing/store.ts'

const store = await startStore()
const { addresses, owner, signer, newWallet, mintIntoCustody, passDelay, provider, send } = store
const token = addresses.collection

/** Both contracts take their owner and signers from the same source; each rule is held against each. */
const contracts = [
  ['collection', store.collectionAs, addresses.collection],
  ['delivery', store.deliveryAs, addresses.delivery],
] as const

test.each(contracts)(
  'only the owner adds and removes signers, and invalid addresses revert: %s',
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

test.each(contracts)('ownership is transferred in two steps and cannot be renounced: %s', async (_, as) => {
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

test.each(contracts)('while tokens depend on it, a new signer waits 48 hours: %s', async (_, as) => {
  await mintIntoCustody(newKey())
  const { address } = await newWallet()
  const due = (await provider.getBlock('latest'))!.timestamp + DELAY_SECONDS + 100
  await provider.send('evm_setNextBlockTimestamp', [toQuantity(due - DELAY_SECONDS)])
  await (await as(owner).addSigner(address)).wait()
  expect(await as(owner).signerFrom(address)).toBe(BigInt(due))
  await expectRevert(as(owner).addSigner(address), 'SignerUnchanged')

  await provider.send('evm_setNextBlockTimestamp', [toQuantity(due - 1)])
  await provider.send('anvil_mine', [])
  expect(await as(owner).isSigner(address)).toBe(false)
  await provider.send('evm_setNextBlockTimestamp', [toQuantity(due)])
  await provider.send('anvil_mine', [])
  expect(await as(owner).isSigner(address)).toBe(true)
})

test.each(contracts)('a signer is removed at once, also an announced one, and waits again: %s', async (_, as) => {
  await mintIntoCustody(newKey())
  const next = await newWallet()
  const add = async () => (await as(owner).addSigner(next.address)).wait()
  const remove = async () => (await as(owner).removeSigner(next.address)).wait()
  await add()
  await remove()
  await passDelay()
  expect(await as(owner).isSigner(next.address)).toBe(false)

  await add()
  await passDelay()
  expect(await as(owner).isSigner(next.address)).toBe(true)
  await remove()
  await add()
  expect(await as(owner).isSigner(next.address)).toBe(false)
  await remove()
})

test('a new signer waits also while all tokens in custody are of a dropped collection', async () => {
  const fresh = await startStore()
  const asOwner = fresh.deliveryAs(fresh.owner)
  await fresh.mintIntoCustody(newKey())
  await (await asOwner.dropCollection(fresh.addresses.collection)).wait()
  const { address } = await newWallet()
  await (await asOwner.addSigner(address)).wait()
  expect(await fresh.delivery.isSigner(address)).toBe(false)
})

test('before the first token a signer is added at once, and again once the custody is empty', async () => {
  const fresh = await startStore()
  const [first, later] = [await newWallet(), await newWallet()]
  for (const as of [fresh.collectionAs, fresh.deliveryAs]) {
    await (await as(fresh.owner).addSigner(first.address)).wait()
    expect(await as(fresh.owner).isSigner(first.address)).toBe(true)
  }
  const account = newKey()
  const id = await fresh.mintIntoCustody(account)
  const line = { lineId: newKey(), token: fresh.addresses.collection, id, to: later.address, from: { account } }
  await fresh.send(deliverCall(fresh.addresses.delivery, line))
  await (await fresh.deliveryAs(fresh.owner).addSigner(later.address)).wait()
  expect(await fresh.delivery.isSigner(later.address)).toBe(true)
})

test('an announced signer neither mints nor delivers nor receives tokens', async () => {
  const next = await newWallet()
  for (const [, as] of contracts) await (await as(owner).addSigner(next.address)).wait()
  const account = newKey()
  const id = await mintIntoCustody(account)
  const to = (await newWallet()).address
  const line = { lineId: newKey(), token, id, to, from: { account } }
  await expectRevert(send(deliverCall(addresses.delivery, line), next), 'NotSigner', { caller: next.address })
  const order = { mintId: newKey(), to: next.address, ...work }
  await expectRevert(send(mintCall(token, order), next), 'NotSigner', { caller: next.address })
  const received = deliverCall(addresses.delivery, { ...line, to: next.address })
  await expectRevert(send(received), 'RecipientNotAllowed', { to: next.address })
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
  await passDelay()
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
  const deploy = async (changes: { ownerAddress?: string; signers?: string[] }) =>
    deployContracts({
      provider: store.provider,
      deployerKey: (await newWallet()).privateKey,
      signers: [signer.address],
      baseUri: 'https://nifty.test',
      settings: LOCAL_SETTINGS,
      ...changes,
    })

  const { collection, delivery } = await deploy({ ownerAddress })

  expect(await collectionAt(collection, store.provider).owner()).toBe(ownerAddress)
  expect(await deliveryAt(delivery, store.provider).owner()).toBe(ownerAddress)
  await expectRevert(deploy({ ownerAddress: ZeroAddress }), 'OwnableInvalidOwner')
  await expectRevert(deploy({ signers: [signer.address, ZeroAddress] }), 'SignerInvalid')
})
