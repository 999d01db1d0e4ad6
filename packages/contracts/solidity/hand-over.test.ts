import { type TransactionReceipt, toQuantity, ZeroAddress, ZeroHash } from 'ethers'
import { expect, test } from 'vitest'
import { deliverCall } from '../src/calls.ts'
import { deliveryAt } from '../src/contract.ts'
import { deploySuccessor } from '../src/deploy.ts'
import { parseChainLog } from '../src/log.ts'
import { expectRevert, newKey, startStore } from './testing/store.ts'

const store = await startStore()
const { addresses, collection, delivery, owner, signer, provider, send, newWallet, mintTo, mintIntoCustody } = store
const token = addresses.collection
const asOwner = store.deliveryAs(owner)
const DELAY = 48 * 3600

const deploy = async () =>
  deploySuccessor({
    provider,
    deployerKey: (await newWallet()).privateKey,
    ...addresses,
    signers: [signer.address],
    ownerAddress: owner.address,
    movesPerHour: 200,
  })
/** Sets the time of the next block to this many seconds after the announcement. */
const waitUntil = async (seconds: number) => {
  const due = Number(await delivery.handOverFrom())
  await provider.send('evm_setNextBlockTimestamp', [toQuantity(due - DELAY + seconds)])
}
const announce = async () => {
  const successor = await deploy()
  await (await asOwner.announceHandOver(successor)).wait()
  return successor
}
const cancel = async () => (await asOwner.cancelHandOver()).wait()

test('after 48 hours the custody moves to the successor, with every account', async () => {
  const [one, two] = [newKey(), newKey()]
  const ids = [await mintIntoCustody(one), await mintIntoCustody(two)]
  const successor = await announce()
  const { address: to } = await newWallet()
  await waitUntil(DELAY)

  const receipt: TransactionReceipt = await (await asOwner.handOver(token, ids)).wait()

  const next = deliveryAt(successor, provider)
  expect([await next.beneficiaryOf(token, ids[0]), await next.beneficiaryOf(token, ids[1])]).toEqual([one, two])
  for (const id of ids) expect(await delivery.beneficiaryOf(token, id)).toBe(ZeroHash)
  expect(await collection.ownerOf(ids[0])).toBe(successor)
  const seen = { collection: token, delivery: successor }
  expect(receipt.logs.flatMap((log) => parseChainLog(log, seen) ?? []).map(({ name }) => name)).toEqual(
    ids.flatMap(() => ['transfer', 'custody-in']),
  )
  const line = { lineId: newKey(), token, id: ids[0]!, to, from: { account: one } }
  await send(deliverCall(successor, line))
  expect(await collection.ownerOf(ids[0])).toBe(to)
  await cancel()
})

test('tokens stay until 48 hours have passed, and deliveries continue', async () => {
  const account = newKey()
  const [id, sold] = [await mintIntoCustody(account), await mintIntoCustody(account)]
  await expectRevert(asOwner.handOver(token, [id]), 'HandOverNotDue', { from: '0' })
  await announce()
  const from = `${await delivery.handOverFrom()}`

  await waitUntil(DELAY - 10)
  const { address: to } = await newWallet()
  await send(deliverCall(addresses.delivery, { lineId: newKey(), token, id: sold, to, from: { account } }))
  await expectRevert(asOwner.handOver(token, [id]), 'HandOverNotDue', { from })

  expect(await delivery.beneficiaryOf(token, id)).toBe(account)
  await cancel()
})

test('a hand-over can be cancelled, and another one waits 48 hours again', async () => {
  const id = await mintIntoCustody(newKey())
  const first = await announce()
  const next = await deploy()
  await expectRevert(asOwner.announceHandOver(next), 'HandOverPending', { successor: first })
  await waitUntil(DELAY)
  await cancel()

  await expectRevert(asOwner.handOver(token, [id]), 'HandOverNotDue', { from: '0' })
  await expectRevert(asOwner.cancelHandOver(), 'HandOverNotDue')
  await (await asOwner.announceHandOver(next)).wait()
  await expectRevert(asOwner.handOver(token, [id]), 'HandOverNotDue')
  await cancel()
})

test('only the owner announces, cancels and hands over, and the successor is another contract', async () => {
  const asSigner = store.deliveryAs(signer)
  const { address: wallet } = await newWallet()
  for (const invalid of [ZeroAddress, wallet, addresses.delivery])
    await expectRevert(asOwner.announceHandOver(invalid), 'SuccessorInvalid', { successor: invalid })
  await expectRevert(asSigner.announceHandOver(token), 'OwnableUnauthorizedAccount')
  await announce()
  await expectRevert(asSigner.cancelHandOver(), 'OwnableUnauthorizedAccount')
  await waitUntil(DELAY)
  await expectRevert(asSigner.handOver(token, []), 'OwnableUnauthorizedAccount')
  await cancel()
})

test('a token without a beneficiary is not handed over, nor to a contract that refuses it', async () => {
  const holder = await newWallet()
  const [inWallet, id] = [await mintTo(holder.address), await mintIntoCustody(newKey())]
  const none = await (await store.deployRecipient('NoReceiver')).getAddress()
  await (await asOwner.announceHandOver(none)).wait()
  await waitUntil(DELAY)

  await expectRevert(asOwner.handOver(token, [inWallet]), 'AccountMissing', { id: `${inWallet}` })
  await expectRevert(asOwner.handOver(token, [id]), 'ERC721InvalidReceiver', { receiver: none })
  expect(await delivery.beneficiaryOf(token, id)).not.toBe(ZeroHash)
  await cancel()
})

test('the successor refuses a line that its predecessor delivered, also for the same account', async () => {
  const [account, lineId] = [newKey(), newKey()]
  const buyer = await newWallet()
  const id = await mintIntoCustody(account)
  const line = { lineId, token, id, to: buyer.address, from: { account } }
  await send(deliverCall(addresses.delivery, line))
  await store.bringBack(buyer, id, account)
  const successor = await announce()
  await waitUntil(DELAY)
  await (await asOwner.handOver(token, [id])).wait()

  await expectRevert(send(deliverCall(successor, line)), 'LineUsed', { lineId })
  expect(await deliveryAt(successor, provider).isLineUsed(lineId)).toBe(true)
  await send(deliverCall(successor, { ...line, lineId: newKey() }))
  await cancel()
})
