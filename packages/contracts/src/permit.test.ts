import { TypedDataEncoder, Wallet } from 'ethers'
import { expect, test } from 'vitest'
import { permitTypedData } from './permit.ts'

const typedData = permitTypedData({
  name: 'Galerie Lumen',
  chainId: 31337,
  collection: new Wallet(`0x${'2'.repeat(64)}`).address,
  delivery: new Wallet(`0x${'3'.repeat(64)}`).address,
  tokenId: 2n ** 70n,
  nonce: 3n,
  deadline: 1_800_000_000,
})

test('typed data hashes the same after JSON, also with large numbers', () => {
  const sent = JSON.parse(JSON.stringify(typedData))
  const hash = (data: typeof typedData) =>
    TypedDataEncoder.hash(data.domain, { Permit: data.types.Permit }, data.message)
  expect(hash(sent)).toBe(hash(typedData))
  expect(sent.message.tokenId).toBe(String(2n ** 70n))
  expect(typedData.types.EIP712Domain.map(({ name }) => name)).toEqual(Object.keys(typedData.domain))
})
