import { toQuantity } from 'ethers'
import { expect, test } from 'vitest'
import { deliverCall, deliverManyCall } from '../src/calls.ts'
import { expectRevert, named, newKey, startStore } from './testing/store.ts'

const store = await startStore()
const { addresses, delivery, deliveryAs, owner, signer, provider, send, newWallet, mintIntoCustody } = store
const token = addresses.collection
const account = newKey()
const HOUR = 3600

const now = async () => (await provider.getBlock('latest'))!.timestamp
/** Moves the chain to the first second of its next hour. */
const startHour = async () => {
  const next = (Math.floor((await now()) / HOUR) + 1) * HOUR
  await provider.send('evm_setNextBlockTimestamp', [toQuantity(next)])
  await provider.send('anvil_mine', ['0x1'])
}
const limitTo = async (moves: number) => (await deliveryAs(owner).setMovesPerHour(moves)).wait()
const line = async () => ({
  lineId: newKey(),
  token,
  id: await mintIntoCustody(account),
  to: (await newWallet()).address,
  from: { account },
})
const deliver = async (by = signer) => send(deliverCall(addresses.delivery, await line()), by)

test('one signer moves at most movesPerHour tokens in a clock hour, by whatever function', async () => {
  const { id, lineId } = await line()
  const change = delivery.interface.encodeFunctionData('changeBeneficiary', [lineId, token, id, account, newKey()])
  const batch = [await line(), await line()]
  await limitTo(5)
  await startHour()

  await deliver()
  await send(deliverCall(addresses.delivery, { ...(await line()), to: { account: newKey() } }))
  await send({ to: addresses.delivery, data: change })
  await send(deliverManyCall(addresses.delivery, batch))

  expect(await delivery.movesLeft(signer.address)).toBe(0n)
  const retryAt = `${(Math.floor((await now()) / HOUR) + 1) * HOUR}`
  await expectRevert(deliver(), 'MoveLimitReached', { signer: signer.address, left: '0', retryAt })
  const more = delivery.interface.encodeFunctionData('changeBeneficiary', [
    newKey(),
    token,
    await mintIntoCustody(account),
    account,
    newKey(),
  ])
  await expectRevert(send({ to: addresses.delivery, data: more }), 'MoveLimitReached')
  await startHour()
  expect(await delivery.movesLeft(signer.address)).toBe(5n)
  await deliver()
})

test('a batch beyond the limit reverts as a whole, refuses no line, and is delivered in the next hour', async () => {
  const batch = [await line(), await line(), await line()]
  await limitTo(3)
  await startHour()
  await deliver()

  await expectRevert(send(deliverManyCall(addresses.delivery, batch)), 'MoveLimitReached', { left: '2' })
  expect(await delivery.isLineUsed(batch[0]!.lineId)).toBe(false)
  await startHour()

  expect(named((await send(deliverManyCall(addresses.delivery, batch))).events, 'delivered')).toHaveLength(3)
})

test('each signer has moves of its own, and a failed move does not count', async () => {
  const second = await newWallet()
  await (await deliveryAs(owner).addSigner(second.address)).wait()
  await limitTo(1)
  await startHour()

  const wrong = deliverCall(addresses.delivery, { ...(await line()), from: { account: newKey() } })
  await expectRevert(send(wrong), 'NotBeneficiary')
  await deliver()
  await expectRevert(deliver(), 'MoveLimitReached', { signer: signer.address })
  await deliver(second)
})

test('only the owner changes the limit, at once, and not to zero', async () => {
  await expectRevert(deliveryAs(signer).setMovesPerHour(9), 'OwnableUnauthorizedAccount')
  await expectRevert(deliveryAs(owner).setMovesPerHour(0), 'MovesPerHourZero')
  await limitTo(1)
  await startHour()
  await deliver()
  await expectRevert(deliver(), 'MoveLimitReached')

  await limitTo(2)
  expect(await delivery.movesLeft(signer.address)).toBe(1n)
  await deliver()
  await limitTo(1)
  expect(await delivery.movesLeft(signer.address)).toBe(0n)
})
