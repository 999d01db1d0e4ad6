import { collectionInterface } from '@nifty/contracts/abi'
import { deliverCall, noOpCall } from '@nifty/contracts/calls'
import { localKey } from '@nifty/contracts/signing/local-key'
import { testLog } from '@nifty/service-kit/testing/log'
import { Transaction, Wallet } from 'ethers'
import { expect, test } from 'vitest'
import { createSigners } from './signer.ts'

const keys = [`0x${'1'.repeat(64)}`, `0x${'2'.repeat(64)}`]
const [collection, delivery, buyer] = [3, 4, 5].map((n) => new Wallet(`0x${`${n}`.repeat(64)}`).address) as [
  string,
  string,
  string,
]
const lineId = `0x${'ab'.repeat(32)}`
const allowed = deliverCall(delivery, { lineId, token: collection, id: 7n, to: buyer, from: { account: lineId } })
const fields = { nonce: 0, gasLimit: 100_000n, maxFeePerGas: 30n, maxPriorityFeePerGas: 2n }

const signersOf = (changes: { perMinute?: number; now?: () => number } = {}) => {
  const contracts = { collection, delivery }
  const { addresses, find } = createSigners({
    keys: keys.map(localKey),
    chainId: 31337,
    contracts,
    perMinute: 10,
    log: testLog,
    ...changes,
  })
  return addresses.map((address) => find(address)!) as [
    NonNullable<ReturnType<typeof find>>,
    NonNullable<ReturnType<typeof find>>,
  ]
}

test('each key signs with its own address; an unknown address has no key', async () => {
  const { addresses, find } = createSigners({
    keys: keys.map(localKey),
    chainId: 31337,
    contracts: { collection, delivery },
    perMinute: 10,
    log: testLog,
  })
  expect(addresses).toEqual(keys.map((key) => new Wallet(key).address))
  for (const address of addresses) {
    const { raw, hash } = await find(address)!.sign({ call: allowed, ...fields })
    expect(Transaction.from(raw)).toMatchObject({ from: address, hash })
  }
  expect(find(buyer)).toBeUndefined()
})

test('a key refuses what the signing policy does not allow, also a no-op of another signer', async () => {
  const [first, second] = signersOf()
  const addSigner = { to: collection, data: collectionInterface.encodeFunctionData('addSigner', [buyer]) }
  for (const call of [addSigner, { to: buyer, data: '0x' }, { ...allowed, to: collection }, noOpCall(second.address)])
    await expect(first.sign({ call, ...fields })).rejects.toThrow('signing policy')
  await expect(first.sign({ call: noOpCall(first.address), ...fields })).resolves.toHaveProperty('raw')
})

test('all keys together sign at most so many transactions a minute', async () => {
  let time = 0
  const [first, second] = signersOf({ perMinute: 3, now: () => time })
  for (const signer of [first, second, first]) await signer.sign({ call: allowed, ...fields })
  for (const signer of [first, second])
    await expect(signer.sign({ call: allowed, ...fields })).rejects.toThrow('CHAIN_SIGNATURES_PER_MINUTE')
  time = 60_000
  await expect(second.sign({ call: allowed, ...fields })).resolves.toHaveProperty('raw')
})
