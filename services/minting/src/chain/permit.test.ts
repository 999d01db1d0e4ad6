import { TypedDataEncoder, Wallet } from 'ethers'
import { expect, test } from 'vitest'
import { permitSigner, permitTypedData } from './permit.ts'

const holder = new Wallet(`0x${'1'.repeat(64)}`)
const typedData = permitTypedData({
  chainId: 31337,
  collection: new Wallet(`0x${'2'.repeat(64)}`).address,
  delivery: new Wallet(`0x${'3'.repeat(64)}`).address,
  tokenId: 2n ** 70n,
  nonce: 3n,
  deadline: 1_800_000_000,
})
const { domain, types, message } = typedData

test('typed data hashes the same after JSON, also with large numbers', () => {
  const sent = JSON.parse(JSON.stringify(typedData))
  const hash = (data: typeof typedData) =>
    TypedDataEncoder.hash(data.domain, { Permit: data.types.Permit }, data.message)
  expect(hash(sent)).toBe(hash(typedData))
  expect(sent.message.tokenId).toBe(String(2n ** 70n))
  expect(types.EIP712Domain.map(({ name }) => name)).toEqual(Object.keys(domain))
})

test('permitSigner recovers the signer of a permit, and returns undefined for an invalid signature', async () => {
  const signature = await holder.signTypedData(domain, { Permit: types.Permit }, message)
  expect(permitSigner(typedData, signature)).toBe(holder.address)
  expect(permitSigner({ ...typedData, message: { ...message, nonce: '4' } }, signature)).not.toBe(holder.address)
  for (const nonsense of ['', '0x', '0x1234', 'signature', `0x${'ff'.repeat(65)}`])
    expect(permitSigner(typedData, nonsense)).toBeUndefined()
})
