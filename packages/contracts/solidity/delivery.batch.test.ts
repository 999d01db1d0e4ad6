import { ZeroHash } from 'ethers'
import { expect, test } from 'vitest'
import { batchGas, type DeliveryLine, deliverManyCall } from '../src/calls.ts'
import { expectRevert, named, newKey, startStore } from './testing/store.ts'

const store = await startStore()
const { addresses, collection, delivery, send, newWallet, mintTo, mintIntoCustody, signPermit, deployRecipient } = store
const token = addresses.collection
const account = newKey()

const custodyLine = async (changes: Partial<DeliveryLine> = {}): Promise<DeliveryLine> => ({
  lineId: newKey(),
  token,
  id: changes.id ?? (await mintIntoCustody(account)),
  to: (await newWallet()).address,
  from: { account },
  ...changes,
})
const deliverMany = (lines: DeliveryLine[]) => send(deliverManyCall(addresses.delivery, lines))

test('deliverMany delivers lines out of custody and out of wallets in one transaction', async () => {
  const seller = await newWallet()
  const id = await mintTo(seller.address)
  const permit = await signPermit(seller, id)
  const lines = [await custodyLine(), await custodyLine({ id, from: { wallet: seller.address, permit } })]

  const { events } = await deliverMany(lines)

  expect(named(events, 'delivered').map(({ lineId }) => lineId)).toEqual(lines.map(({ lineId }) => lineId))
  for (const line of lines) expect(await collection.ownerOf(line.id)).toBe(line.to)
})

test('deliverMany logs Refused with the reason for a line that reverts, and delivers the others', async () => {
  const [good, alsoGood] = [await custodyLine(), await custodyLine()]
  const rejecting = await (await deployRecipient('RejectingWallet')).getAddress()
  const bad = {
    used: await custodyLine({ lineId: good.lineId }),
    sold: await custodyLine({ id: good.id }),
    stolen: await custodyLine({ from: { account: newKey() } }),
    unwanted: await custodyLine({ to: rejecting }),
    nowhere: await custodyLine({ to: addresses.delivery }),
    nameless: await custodyLine({ lineId: ZeroHash }),
  }

  const { events } = await deliverMany([good, ...Object.values(bad), alsoGood])

  expect(named(events, 'delivered').map(({ lineId }) => lineId)).toEqual([good.lineId, alsoGood.lineId])
  expect(named(events, 'refused')).toMatchObject([
    { lineId: bad.used.lineId, reason: { name: 'LineUsed' } },
    { lineId: bad.sold.lineId, reason: { name: 'NotHolder', args: { holder: good.to } } },
    { lineId: bad.stolen.lineId, reason: { name: 'NotBeneficiary', args: { account } } },
    { lineId: bad.unwanted.lineId, reason: { name: 'Unknown' } },
    { lineId: bad.nowhere.lineId, reason: { name: 'RecipientNotAllowed' } },
    { lineId: bad.nameless.lineId, reason: { name: 'LineIdEmpty' } },
  ])
  for (const { id } of [bad.stolen, bad.unwanted, bad.nowhere])
    expect(await delivery.beneficiaryOf(token, id)).toBe(account)
})

test('a refused line id stays unused and can be delivered later', async () => {
  const line = await custodyLine({ to: addresses.delivery })
  await deliverMany([line])
  expect(await delivery.isLineUsed(line.lineId)).toBe(false)

  const mended = { ...line, to: (await newWallet()).address }
  expect(named((await deliverMany([mended])).events, 'delivered')).toHaveLength(1)
})

test('a recipient that burns all gas or returns megabytes costs a bounded amount of gas', async () => {
  const [burning, verbose] = [await deployRecipient('GasBurningWallet'), await deployRecipient('VerboseWallet')]
  const lines = [
    await custodyLine({ to: await burning.getAddress() }),
    await custodyLine({ to: await verbose.getAddress() }),
    await custodyLine(),
  ]

  const { events, gasUsed, logs } = await deliverMany(lines)

  expect(named(events, 'delivered').map(({ lineId }) => lineId)).toEqual([lines[2]!.lineId])
  expect(named(events, 'refused')).toMatchObject([
    { lineId: lines[0]!.lineId, reason: { name: 'ERC721InvalidReceiver' } },
    { lineId: lines[1]!.lineId, reason: { name: 'Unknown' } },
  ])
  // Offset, length, and 260 bytes filled up to whole words.
  expect(Math.max(...logs.map(({ data }) => (data.length - 2) / 2))).toBe(64 + 288)
  expect(gasUsed).toBeLessThan(2 * 300_000 + 250_000)
})

test('a gas limit too low reverts the whole batch instead of refusing a line', async () => {
  const lines = [await custodyLine(), await custodyLine()]
  const call = deliverManyCall(addresses.delivery, lines)
  const from = store.signer.address

  await expectRevert(store.provider.call({ ...call, from, gasLimit: 300_000 }), 'BatchNeedsMoreGas')

  const estimate = await store.provider.estimateGas({ ...call, from })
  const { events } = await send({ ...call, gasLimit: estimate })
  expect(named(events, 'refused')).toEqual([])
  expect(named(events, 'delivered')).toHaveLength(2)
})

test('with the gas limit of a batch, recipients that burn their gas do not affect the others', async () => {
  const burning = await (await deployRecipient('GasBurningWallet')).getAddress()
  const hostile = []
  for (let i = 0; i < 18; i++) hostile.push(await custodyLine({ to: burning }))
  const [first, last] = [await custodyLine(), await custodyLine()]
  const lines = [first, ...hostile, last]

  const { events } = await send({ ...deliverManyCall(addresses.delivery, lines), gasLimit: batchGas(lines.length) })

  expect(named(events, 'delivered').map(({ lineId }) => lineId)).toEqual([first.lineId, last.lineId])
  expect(named(events, 'refused').map(({ lineId }) => lineId)).toEqual(hostile.map(({ lineId }) => lineId))
})

test('a collection that was dropped reverts the whole batch and refuses no line', async () => {
  const lines = [await custodyLine(), await custodyLine()]
  const asOwner = store.deliveryAs(store.owner)
  await (await asOwner.dropCollection(token)).wait()

  await expectRevert(deliverMany(lines), 'CollectionNotAccepted', { token })

  await (await asOwner.acceptCollection(token)).wait()
  expect(named((await deliverMany(lines)).events, 'delivered')).toHaveLength(2)
})

test('an empty batch does nothing', async () => {
  expect((await deliverMany([])).events).toEqual([])
})
