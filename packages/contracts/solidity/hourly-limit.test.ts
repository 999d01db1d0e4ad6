import { toQuantity } from 'ethers'
import { expect, test } from 'vitest'
import { deliverCall, deliverManyCall, mintBatchCall, mintCall } from '../src/calls.ts'
import { DELAY_SECONDS, expectRevert, named, newKey, startStore, work } from './testing/store.ts'

const store = await startStore()
const { addresses, collection, delivery, collectionAs, deliveryAs, owner, signer, provider, send, newWallet } = store
const { mintIntoCustody, passDelay } = store
const token = addresses.collection
const account = newKey()
const HOUR = 3600

/** The same rule holds in both contracts, each with a limit of its own. */
const contracts = [
  ['collection', collectionAs],
  ['delivery', deliveryAs],
] as const

const now = async () => (await provider.getBlock('latest'))!.timestamp
/** Moves the chain to the first second of its next hour. */
const startHour = async () => {
  const next = (Math.floor((await now()) / HOUR) + 1) * HOUR
  await provider.send('evm_setNextBlockTimestamp', [toQuantity(next)])
  await provider.send('anvil_mine', ['0x1'])
}
const setLimit = async (limit: number, as: (typeof contracts)[number][1] = deliveryAs) =>
  (await as(owner).setLimitPerHour(limit)).wait()
/** The new limit counts, also when it is a higher one. */
const limitTo = async (limit: number, as: (typeof contracts)[number][1] = deliveryAs) => {
  await setLimit(limit, as)
  await passDelay()
}
const line = async () => ({
  lineId: newKey(),
  token,
  id: await mintIntoCustody(account),
  to: (await newWallet()).address,
  from: { account },
})
const deliver = async (by = signer) => send(deliverCall(addresses.delivery, await line()), by)
const order = () => ({ mintId: newKey(), to: addresses.delivery, account, ...work })

test('one signer moves at most limitPerHour tokens in a clock hour, by whatever function', async () => {
  const { id, lineId } = await line()
  const change = delivery.interface.encodeFunctionData('changeBeneficiary', [lineId, token, id, account, newKey()])
  const batch = [await line(), await line()]
  await limitTo(5)
  await startHour()

  await deliver()
  await send(deliverCall(addresses.delivery, { ...(await line()), to: { account: newKey() } }))
  await send({ to: addresses.delivery, data: change })
  await send(deliverManyCall(addresses.delivery, batch))

  expect(await delivery.leftInHour(signer.address)).toBe(0n)
  const retryAt = `${(Math.floor((await now()) / HOUR) + 1) * HOUR}`
  await expectRevert(deliver(), 'HourlyLimitReached', { signer: signer.address, left: '0', retryAt })
  const more = delivery.interface.encodeFunctionData('changeBeneficiary', [
    newKey(),
    token,
    await mintIntoCustody(account),
    account,
    newKey(),
  ])
  await expectRevert(send({ to: addresses.delivery, data: more }), 'HourlyLimitReached')
  await startHour()
  expect(await delivery.leftInHour(signer.address)).toBe(5n)
  await deliver()
})

test('one signer mints at most limitPerHour tokens in a clock hour, alone and in batches', async () => {
  await limitTo(3, collectionAs)
  await startHour()
  await send(mintCall(token, order()))
  await expectRevert(send(mintBatchCall(token, [order(), order(), order()])), 'HourlyLimitReached', { left: '2' })
  await send(mintBatchCall(token, [order(), order()]))

  expect(await collection.leftInHour(signer.address)).toBe(0n)
  await expectRevert(send(mintCall(token, order())), 'HourlyLimitReached', { signer: signer.address })
  await startHour()
  await send(mintCall(token, order()))
  await limitTo(20_000, collectionAs)
})

test('a batch beyond the limit reverts as a whole, refuses no line, and is delivered in the next hour', async () => {
  const batch = [await line(), await line(), await line()]
  await limitTo(3)
  await startHour()
  await deliver()

  await expectRevert(send(deliverManyCall(addresses.delivery, batch)), 'HourlyLimitReached', { left: '2' })
  expect(await delivery.isLineUsed(batch[0]!.lineId)).toBe(false)
  await startHour()

  expect(named((await send(deliverManyCall(addresses.delivery, batch))).events, 'delivered')).toHaveLength(3)
})

test('each signer has a limit of its own, and a failed move does not count', async () => {
  const second = await newWallet()
  await (await deliveryAs(owner).addSigner(second.address)).wait()
  await limitTo(1)
  await startHour()

  const wrong = deliverCall(addresses.delivery, { ...(await line()), from: { account: newKey() } })
  await expectRevert(send(wrong), 'NotBeneficiary')
  await deliver()
  await expectRevert(deliver(), 'HourlyLimitReached', { signer: signer.address })
  await deliver(second)
})

test.each(contracts)('only the owner changes the limit, not to zero, and lowers it at once: %s', async (_, as) => {
  await expectRevert(as(signer).setLimitPerHour(9), 'OwnableUnauthorizedAccount')
  await expectRevert(as(owner).setLimitPerHour(0), 'LimitPerHourZero')
  await limitTo(100, as)
  await setLimit(50, as)
  expect(await as(owner).limitPerHour()).toBe(50n)
})

test.each(contracts)('while tokens depend on it, a higher limit waits 48 hours: %s', async (_, as) => {
  await line()
  await limitTo(100, as)
  const limit = () => as(owner).limitPerHour()
  const due = (await now()) + DELAY_SECONDS + 100
  await provider.send('evm_setNextBlockTimestamp', [toQuantity(due - DELAY_SECONDS)])
  await setLimit(200, as)

  await provider.send('evm_setNextBlockTimestamp', [toQuantity(due - 1)])
  await provider.send('anvil_mine', [])
  expect(await limit()).toBe(100n)
  await provider.send('evm_setNextBlockTimestamp', [toQuantity(due)])
  await provider.send('anvil_mine', [])
  expect(await limit()).toBe(200n)
})

test.each(contracts)('another call replaces a raise that is announced: %s', async (_, as) => {
  await line()
  await limitTo(100, as)
  await setLimit(20_000, as)
  await setLimit(100, as)
  await passDelay()
  expect(await as(owner).limitPerHour()).toBe(100n)

  await setLimit(20_000, as)
  await setLimit(300, as)
  await passDelay()
  expect(await as(owner).limitPerHour()).toBe(300n)
})

test('before the first token the limit is raised at once', async () => {
  const fresh = await startStore()
  for (const as of [fresh.collectionAs, fresh.deliveryAs]) {
    await (await as(fresh.owner).setLimitPerHour(30_000)).wait()
    expect(await as(fresh.owner).limitPerHour()).toBe(30_000n)
  }
})
