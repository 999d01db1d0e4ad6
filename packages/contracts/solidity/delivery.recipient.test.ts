import { ZeroAddress, ZeroHash } from 'ethers'
import { expect, test } from 'vitest'
import { deliverCall } from '../src/calls.ts'
import { expectRevert, newKey, startStore } from './testing/store.ts'

const store = await startStore()
const {
  addresses,
  collection,
  delivery,
  send,
  newWallet,
  mintTo,
  mintIntoCustody,
  signPermit,
  deployRecipient,
  signer,
} = store
const token = addresses.collection
const account = newKey()

const line = (id: bigint, to: string, lineId = newKey()) =>
  deliverCall(addresses.delivery, { lineId, token, id, to, from: { account } })
const addressOf = async (name: string) => (await deployRecipient(name)).getAddress()

test('a delivery to the zero, burn, contract, signer or collection address reverts', async () => {
  const id = await mintIntoCustody(account)
  const dead = '0x000000000000000000000000000000000000dEaD'
  for (const to of [ZeroAddress, dead, addresses.delivery, token, signer.address])
    await expectRevert(send(line(id, to)), 'RecipientNotAllowed', { to })
  expect(await collection.ownerOf(id)).toBe(addresses.delivery)
})

test('a delivery out of a wallet to its holder or into custody reverts', async () => {
  const holder = await newWallet()
  const id = await mintTo(holder.address)
  const from = { wallet: holder.address, permit: await signPermit(holder, id) }
  for (const to of [holder.address, addresses.delivery]) {
    const call = deliverCall(addresses.delivery, { lineId: newKey(), token, id, to, from })
    await expectRevert(send(call), 'RecipientNotAllowed', { to })
  }
})

test('a recipient contract that rejects the token leaves it in custody', async () => {
  const id = await mintIntoCustody(account)
  for (const name of ['NoReceiver', 'WrongAnswerWallet', 'GasBurningWallet']) {
    const receiver = await addressOf(name)
    await expectRevert(send(line(id, receiver)), 'ERC721InvalidReceiver', { receiver })
  }
  await expectRevert(send(line(id, await addressOf('RejectingWallet'))), 'Unknown')
  expect(await delivery.beneficiaryOf(token, id)).toBe(account)
  await send(line(id, (await newWallet()).address))
})

test('a recipient contract that accepts the token receives it', async () => {
  const id = await mintIntoCustody(account)
  const to = await addressOf('ReentrantWallet')
  await send(line(id, to))
  expect(await collection.ownerOf(id)).toBe(to)
})

const ways = ['deliver', 'deliverToCustody', 'deliverMany', 'changeBeneficiary'] as const

const reenter = async (way: (typeof ways)[number]) => {
  const [first, second] = [await mintIntoCustody(account), await mintIntoCustody(account)]
  const wallet = await deployRecipient('ReentrantWallet')
  const thief = await wallet.getAddress()
  const calls = {
    deliver: [newKey(), token, addresses.delivery, thief, second, account],
    deliverToCustody: [newKey(), token, addresses.delivery, newKey(), second, account],
    deliverMany: [[[newKey(), token, addresses.delivery, thief, ZeroHash, second, account]]],
    changeBeneficiary: [newKey(), token, second, account, newKey()],
  }
  await (await wallet.prepare(addresses.delivery, delivery.interface.encodeFunctionData(way, calls[way]))).wait()
  const attempt = async () => {
    await send(line(first, thief))
    expect(await wallet.succeeded()).toBe(false)
    expect(await delivery.beneficiaryOf(token, second)).toBe(account)
    return delivery.interface.parseError(await wallet.answer())?.name
  }
  return { thief, attempt }
}

test('a re-entrant call of a recipient reverts: it is not a signer', async () => {
  for (const way of ways) expect(await (await reenter(way)).attempt()).toBe('NotSigner')
})

test('a re-entrant call of a signer reverts', async () => {
  const asOwner = store.deliveryAs(store.owner)
  for (const way of ways) {
    const id = await mintIntoCustody(account)
    const { thief } = await reenter(way)
    await (await asOwner.addSigner(thief)).wait()
    await store.passDelay()
    // A signer is no recipient, so the token goes to a contract that makes the signer call again.
    const relay = await deployRecipient('ReentrantWallet')
    const wallet = relay.attach(thief).connect(store.owner)
    const again = wallet.interface.encodeFunctionData('onERC721Received', [thief, thief, 0, '0x'])
    await (await relay.prepare(thief, again)).wait()

    await send(line(id, await relay.getAddress()))

    expect(await wallet.getFunction('succeeded')()).toBe(false)
    const answer = await wallet.getFunction('answer')()
    expect(delivery.interface.parseError(answer)?.name, way).toBe('ReentrancyGuardReentrantCall')
  }
})

test('a recipient that passes the token on in its hook is recorded after the delivery', async () => {
  const id = await mintIntoCustody(account)
  const wallet = await deployRecipient('ReentrantWallet')
  const to = await wallet.getAddress()
  const { address: friend } = await newWallet()
  const passOn = collection.interface.encodeFunctionData('transferFrom', [to, friend, id])
  await (await wallet.prepare(token, passOn)).wait()

  const { events } = await send(line(id, to))

  expect(events.map(({ name }) => name)).toEqual(['custody-out', 'delivered', 'transfer', 'transfer'])
  expect(await collection.ownerOf(id)).toBe(friend)
  await expectRevert(send(line(id, (await newWallet()).address)), 'NotHolder', { holder: friend })
})
