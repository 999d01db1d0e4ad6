import { Transaction, Wallet } from 'ethers'
import { expect, test } from 'vitest'
import { collectionInterface, deliveryInterface } from './abi.ts'
import {
  deliverCall,
  deliverManyCall,
  isSignable,
  mintBatchCall,
  mintCall,
  noOpCall,
  unsignedTransaction,
} from './calls.ts'

const [collection, delivery, signer, buyer] = [1, 2, 3, 4].map((n) => new Wallet(`0x${`${n}`.repeat(64)}`).address) as [
  string,
  string,
  string,
  string,
]
const key = `0x${'ab'.repeat(32)}`
const order = { mintId: key, to: delivery, account: key, imageSha256: key, name: 'Dusk' }
const line = { lineId: key, token: collection, id: 7n, to: buyer, from: { account: key } }

const gift = { ...line, to: { account: `0x${'cd'.repeat(32)}` }, isGift: true }

test('an unsigned transaction has the call, nonce and fees, and no value', () => {
  const call = deliverCall(delivery, line)
  const unsigned = unsignedTransaction({
    call,
    chainId: 31337,
    nonce: 4,
    gasLimit: 200_000n,
    maxFeePerGas: 30n,
    maxPriorityFeePerGas: 2n,
  })
  expect(Transaction.from(unsigned)).toMatchObject({
    type: 2,
    to: delivery,
    data: call.data,
    value: 0n,
    nonce: 4,
    chainId: 31337n,
    gasLimit: 200_000n,
    maxFeePerGas: 30n,
    maxPriorityFeePerGas: 2n,
  })
})

test('the signer signs mints, deliveries, gifts and no-ops', () => {
  const contracts = { collection, delivery, signer }
  for (const call of [
    mintCall(collection, order),
    mintBatchCall(collection, [order]),
    deliverCall(delivery, line),
    deliverManyCall(delivery, [line]),
    deliverCall(delivery, { ...line, to: { account: key } }),
    deliverCall(delivery, gift),
    noOpCall(signer),
  ]) {
    expect(isSignable(call, contracts)).toBe(true)
    expect(isSignable({ ...call, to: call.to.toLowerCase() }, contracts)).toBe(true)
    expect(isSignable({ ...call, value: 1n }, contracts)).toBe(false)
    expect(isSignable({ ...call, to: buyer }, contracts)).toBe(false)
  }
})

test('the signer signs no other call, to the contracts or to itself', () => {
  const contracts = { collection, delivery, signer }
  const refused = [
    { to: collection, data: collectionInterface.encodeFunctionData('addSigner', [buyer]) },
    { to: collection, data: collectionInterface.encodeFunctionData('setApprovalForAll', [buyer, true]) },
    { to: delivery, data: deliveryInterface.encodeFunctionData('recordStranded', [collection, 7n, key]) },
    { to: collection, data: deliverCall(delivery, gift).data },
    { to: delivery, data: mintCall(collection, order).data },
    { to: collection, data: deliverCall(delivery, line).data },
    { to: collection, data: '0x' },
    { to: signer, data: '0x00' },
    { to: null, data: '0x6000' },
  ]
  for (const call of refused) expect(isSignable(call, contracts)).toBe(false)
})

test('a gift names both custody accounts, and goes to no wallet', () => {
  const { data } = deliverCall(delivery, gift)
  const { name, args } = deliveryInterface.parseTransaction({ data })!
  expect([name, ...args]).toEqual(['changeBeneficiary', key, collection, 7n, key, gift.to.account])
  expect(() => deliverCall(delivery, { ...gift, to: buyer })).toThrow('custody')
})
