import { concat, ZeroAddress, ZeroHash } from 'ethers'
import { expect, test } from 'vitest'
import { deliverCall, mintCall } from '../src/calls.ts'
import { expectRevert, named, newKey, startStore, work } from './testing/store.ts'

const store = await startStore()
const { collection, delivery, addresses, send, newWallet, mintTo, mintIntoCustody } = store
const token = addresses.collection

const line = (account: string, id: bigint, to: string, lineId = newKey()) =>
  deliverCall(addresses.delivery, { lineId, token, id, to, from: { account } })
const beneficiary = (id: bigint) => delivery.beneficiaryOf(token, id)

test('mint into custody sets the beneficiary', async () => {
  const account = newKey()
  const id = await mintIntoCustody(account)
  expect(await collection.ownerOf(id)).toBe(addresses.delivery)
  expect(await beneficiary(id)).toBe(account)
})

test('deliver out of custody transfers the token and emits its events in order', async () => {
  const [account, lineId] = [newKey(), newKey()]
  const { address: buyer } = await newWallet()
  const id = await mintIntoCustody(account)

  const { events } = await send(line(account, id, buyer, lineId))

  expect(events).toEqual([
    { name: 'custody-out', token, id, account, to: buyer },
    { name: 'delivered', lineId, token, id, from: addresses.delivery, to: buyer },
    { name: 'transfer', token, id, from: addresses.delivery, to: buyer },
  ])
  expect(await collection.ownerOf(id)).toBe(buyer)
  expect(await beneficiary(id)).toBe(ZeroHash)
  expect(await delivery.isLineUsed(lineId)).toBe(true)
})

test('a line id is used once, for any token', async () => {
  const [account, lineId] = [newKey(), newKey()]
  const { address: buyer } = await newWallet()
  const [one, two] = [await mintIntoCustody(account), await mintIntoCustody(account)]
  await send(line(account, one, buyer, lineId))

  await expectRevert(send(line(account, one, buyer, lineId)), 'LineUsed', { lineId })
  await expectRevert(send(line(account, two, buyer, lineId)), 'LineUsed', { lineId })
  await expectRevert(send(line(account, two, buyer, ZeroHash)), 'LineIdEmpty')
  expect(await collection.ownerOf(two)).toBe(addresses.delivery)
})

test('a line of an earlier sale cannot deliver a token that its buyer brought back', async () => {
  const [seller, buyer] = [newKey(), newKey()]
  const wallet = await newWallet()
  const id = await mintIntoCustody(seller)
  await send(line(seller, id, wallet.address))
  await store.bringBack(wallet, id, buyer)

  await expectRevert(send(line(seller, id, (await newWallet()).address)), 'NotBeneficiary', {
    named: seller,
    account: buyer,
  })
  expect(await beneficiary(id)).toBe(buyer)
})

test('a delivery out of custody needs the beneficiary in exactly 32 bytes', async () => {
  const account = newKey()
  const { address: to } = await newWallet()
  const id = await mintIntoCustody(account)
  const deliver = (permit: string, lineId = newKey()) =>
    send({
      to: addresses.delivery,
      data: delivery.interface.encodeFunctionData('deliver', [lineId, token, addresses.delivery, to, id, permit]),
    })

  await expectRevert(deliver('0x'), 'PermitMalformed', { length: '0' })
  await expectRevert(deliver(concat([account, '0x00'])), 'PermitMalformed', { length: '33' })
  await expectRevert(deliver(newKey()), 'NotBeneficiary', { account })
  await deliver(account)
})

test('the zero account is not a beneficiary, also of a token without one', async () => {
  const sender = await newWallet()
  const id = await mintTo(sender.address)
  await (await store.collectionAs(sender).transferFrom(sender.address, addresses.delivery, id)).wait()
  await expectRevert(send(line(ZeroHash, id, sender.address)), 'NotBeneficiary', { account: ZeroHash })
})

test('a token that is not in custody cannot be delivered out of it', async () => {
  const holder = await newWallet()
  const id = await mintTo(holder.address)
  const { address: to } = await newWallet()
  await expectRevert(send(line(newKey(), id, to)), 'NotHolder', { named: addresses.delivery, holder: holder.address })
  await expectRevert(send(line(newKey(), id + 1n, to)), 'ERC721NonexistentToken')
})

test('only signers call deliver, deliverToCustody, deliverMany and changeBeneficiary', async () => {
  const account = newKey()
  const thief = await newWallet()
  const id = await mintIntoCustody(account)
  const asThief = store.deliveryAs(thief)
  const args = [newKey(), token, addresses.delivery, thief.address, ZeroHash, id, account] as const
  const own = [newKey(), token, addresses.delivery, newKey(), id, account] as const

  for (const by of [thief, store.owner]) await expectRevert(send(line(account, id, thief.address), by), 'NotSigner')
  await expectRevert(asThief.deliverMany([args]), 'NotSigner', { caller: thief.address })
  await expectRevert(asThief.deliverToCustody(...own), 'NotSigner', { caller: thief.address })
  await expectRevert(asThief.deliverEntry(args), 'OnlyInBatch', { caller: thief.address })
  await expectRevert(store.deliveryAs(store.signer).deliverEntry(args), 'OnlyInBatch')
  await expectRevert(asThief.changeBeneficiary(newKey(), token, id, account, newKey()), 'NotSigner')
})

test('changeBeneficiary transfers inside custody and uses the line id', async () => {
  const [seller, buyer, lineId] = [newKey(), newKey(), newKey()]
  const id = await mintIntoCustody(seller)
  const change = (previous: string, account: string, line = newKey()) =>
    send({
      to: addresses.delivery,
      data: delivery.interface.encodeFunctionData('changeBeneficiary', [line, token, id, previous, account]),
    })

  await expectRevert(change(newKey(), buyer), 'NotBeneficiary', { account: seller })
  await expectRevert(change(seller, ZeroHash), 'AccountMissing', { id: `${id}` })
  await expectRevert(change(seller, seller), 'AlreadyInCustody', { account: seller })
  const { events } = await change(seller, buyer, lineId)

  expect(events).toEqual([{ name: 'beneficiary-changed', token, id, account: buyer, previous: seller, lineId }])
  const { address: to } = await newWallet()
  await expectRevert(change(buyer, seller, lineId), 'LineUsed')
  await expectRevert(send(line(buyer, id, to, lineId)), 'LineUsed')
  await expectRevert(send(line(seller, id, to)), 'NotBeneficiary', { account: buyer })
  await send(line(buyer, id, to))
  await expectRevert(change(buyer, seller), 'NotBeneficiary', { account: ZeroHash })
})

test('CustodyIn distinguishes a mint from a delivery out of a wallet', async () => {
  const [account, lineId] = [newKey(), newKey()]
  const wallet = await newWallet()
  const minted = await send(mintCall(token, { mintId: newKey(), to: addresses.delivery, account, ...work }))
  const [{ id } = { id: 0n }] = named(minted.events, 'custody-in')
  await send(line(account, id, wallet.address, lineId))
  const brought = await store.bringBack(wallet, id, account)

  const custody = { name: 'custody-in', token, id, account }
  expect(named(minted.events, 'custody-in')).toEqual([{ ...custody, from: ZeroAddress }])
  expect(named(brought.events, 'custody-in')).toEqual([{ ...custody, from: wallet.address }])
})
