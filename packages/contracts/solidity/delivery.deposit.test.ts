import { ZeroHash } from 'ethers'
import { expect, test } from 'vitest'
import { deliverCall, mintCall } from '../src/calls.ts'
import { deployContracts } from '../src/deploy.ts'
import { LOCAL_SETTINGS } from '../src/settings.ts'
import { expectRevert, newKey, startStore, work } from './testing/store.ts'

const store = await startStore()
const { addresses, collection, delivery, owner, send, newWallet, mintTo, mintIntoCustody, deployRecipient } = store
const token = addresses.collection
const asOwner = store.deliveryAs(owner)

const deposit = async (by: Awaited<ReturnType<typeof newWallet>>, id: bigint, data: string) =>
  (
    await store.collectionAs(by).getFunction('safeTransferFrom(address,address,uint256,bytes)')(
      by.address,
      addresses.delivery,
      id,
      data,
    )
  ).wait()

test('a holder cannot bring a token to an account, which may be a stranger’s, and keeps it', async () => {
  const [holder, operator] = [await newWallet(), await newWallet()]
  const id = await mintTo(holder.address)
  await (await store.collectionAs(holder).setApprovalForAll(operator.address, true)).wait()

  for (const data of [newKey(), '0x', ZeroHash])
    await expectRevert(deposit(holder, id, data), 'DepositNotAllowed', { operator: holder.address, id: `${id}` })
  const bring = store.collectionAs(operator).getFunction('safeTransferFrom(address,address,uint256,bytes)')
  await expectRevert(bring(holder.address, addresses.delivery, id, newKey()), 'DepositNotAllowed')
  expect(await collection.ownerOf(id)).toBe(holder.address)
})

test('a contract cannot deposit its token', async () => {
  const wallet = await deployRecipient('ReentrantWallet')
  const address = await wallet.getAddress()
  const id = await mintTo(address)
  const bring = 'safeTransferFrom(address,address,uint256,bytes)'
  const data = collection.interface.encodeFunctionData(bring, [address, addresses.delivery, id, newKey()])
  await expectRevert(wallet.act(token, data), 'DepositNotAllowed', { operator: address })
})

test('a mint into custody without an account reverts', async () => {
  const order = { mintId: newKey(), to: addresses.delivery, ...work }
  await expectRevert(send(mintCall(token, order)), 'AccountMissing')
})

test('a token counts as in custody only when an accepted collection calls the hook', async () => {
  const liar = await newWallet()
  const id = await mintIntoCustody(newKey())
  const pretended = store.deliveryAs(liar).onERC721Received(liar.address, liar.address, id, newKey())
  await expectRevert(pretended, 'CollectionNotAccepted', { token: liar.address })
})

test('tokens of a foreign collection are taken in and delivered only after the owner accepts it', async () => {
  const holder = await newWallet()
  const other = await deployContracts({
    provider: store.provider,
    deployerKey: (await newWallet()).privateKey,
    signers: [store.signer.address],
    baseUri: 'https://elsewhere.test',
    settings: LOCAL_SETTINGS,
  })
  const account = newKey()
  const mintThere = mintCall(other.collection, { mintId: newKey(), to: addresses.delivery, account, ...work })
  const { address: to } = holder
  const line = { lineId: newKey(), token: other.collection, id: 1n, to, from: { account } }

  await expectRevert(send(mintThere), 'CollectionNotAccepted', { token: other.collection })
  await expectRevert(send(deliverCall(addresses.delivery, line)), 'CollectionNotAccepted')
  await (await asOwner.acceptCollection(other.collection)).wait()
  await send(mintThere)
  await send(deliverCall(addresses.delivery, line))
})

test('only the owner accepts and drops collections, each once, and only contracts', async () => {
  const { address } = store.signer
  await expectRevert(store.deliveryAs(store.signer).acceptCollection(token), 'OwnableUnauthorizedAccount')
  await expectRevert(store.deliveryAs(store.signer).dropCollection(token), 'OwnableUnauthorizedAccount')
  await expectRevert(asOwner.acceptCollection(token), 'CollectionUnchanged', { token })
  await expectRevert(asOwner.dropCollection(address), 'CollectionUnchanged', { token: address })
  await expectRevert(asOwner.acceptCollection(address), 'CollectionNotAccepted', { token: address })
})

test('dropping a collection stops mints into custody and deliveries and keeps the beneficiaries', async () => {
  const account = newKey()
  const { address: to } = await newWallet()
  const id = await mintIntoCustody(account)
  const line = deliverCall(addresses.delivery, { lineId: newKey(), token, id, to, from: { account } })
  const change = store.deliveryAs(store.signer).changeBeneficiary

  await (await asOwner.dropCollection(token)).wait()
  await expectRevert(mintIntoCustody(newKey()), 'CollectionNotAccepted')
  await expectRevert(send(line), 'CollectionNotAccepted', { token })
  const keep = store.deliveryAs(store.signer).deliverToCustody
  await expectRevert(keep(newKey(), token, addresses.delivery, newKey(), id, account), 'CollectionNotAccepted')
  await expectRevert(change(newKey(), token, id, account, newKey()), 'CollectionNotAccepted')
  await expectRevert(asOwner.recordStranded(token, id, account), 'CollectionNotAccepted')

  await (await asOwner.acceptCollection(token)).wait()
  await send(line)
  expect(await collection.ownerOf(id)).toBe(to)
})

test('recordStranded sets the account of a token without one, and of no other', async () => {
  const holder = await newWallet()
  const account = newKey()
  const [id, kept, custodial] = [
    await mintTo(holder.address),
    await mintTo(holder.address),
    await mintIntoCustody(account),
  ]
  await (await store.collectionAs(holder).transferFrom(holder.address, addresses.delivery, id)).wait()

  const { address: caller } = holder
  await expectRevert(store.deliveryAs(holder).recordStranded(token, id, account), 'OwnableUnauthorizedAccount', {
    account: caller,
  })
  await expectRevert(asOwner.recordStranded(token, id, ZeroHash), 'AccountMissing')
  await expectRevert(asOwner.recordStranded(token, kept, account), 'NotHolder', { holder: caller })
  await expectRevert(asOwner.recordStranded(token, custodial, newKey()), 'AlreadyInCustody', { account })

  await (await asOwner.recordStranded(token, id, account)).wait()
  expect(await delivery.beneficiaryOf(token, id)).toBe(account)
})
