import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

const address = `0x${'1'.repeat(40)}`
const required = {
  CHAIN_RPC_URL: 'http://node.test',
  CHAIN_SIGNER_KEY: `0x${'2'.repeat(64)}`,
  CHAIN_COLLECTION: address,
  CHAIN_DELIVERY: address,
  MAIL_TOKEN_KEY: 'k'.repeat(64),
  UPLOADS_DIR: '/uploads',
}

test('a trailing slash of PUBLIC_URL does not reach the URLs of the metadata', () => {
  expect(readConfig({ ...required, PUBLIC_URL: 'https://shop.example/' }).publicUrl).toBe('https://shop.example')
})

test('the index starts at CHAIN_FROM_BLOCK, or at the first block', () => {
  expect(readConfig(required).chain.fromBlock).toBe(0)
  expect(readConfig({ ...required, CHAIN_FROM_BLOCK: '7100000' }).chain.fromBlock).toBe(7_100_000)
})

test('a small RATE_LIMIT_FACTOR leaves at least one mint per hour', () => {
  expect(readConfig({ ...required, RATE_LIMIT_FACTOR: '0.01' }).mintsPerHour).toBe(1)
  expect(readConfig({ ...required, MINTS_PER_HOUR: '60', RATE_LIMIT_FACTOR: '2' }).mintsPerHour).toBe(120)
})

test('keys are separated by commas, each counts once, and the signatures per minute follow from them', () => {
  const [one, other] = [`0x${'2'.repeat(64)}`, `0x${'A'.repeat(64)}`]
  expect(readConfig(required).transactions.signaturesPerMinute).toBe(334)
  const { chain, transactions } = readConfig({ ...required, CHAIN_SIGNER_KEY: `${one},${other},${one}` })
  expect(chain.signerKeys).toEqual([one, other.toLowerCase()])
  expect(transactions.signaturesPerMinute).toBe(668)
  expect(readConfig({ ...required, CHAIN_SIGNATURES_PER_MINUTE: '5' }).transactions.signaturesPerMinute).toBe(5)
})

test.each([
  ['CHAIN_SIGNER_KEY', `0x${'2'.repeat(64)},`],
  ['CHAIN_SIGNER_KEY', '0x12'],
  ['CHAIN_COLLECTION', 'nifty.eth'],
  ['CHAIN_ID', '0'],
  ['RATE_LIMIT_FACTOR', '0'],
  ['ROYALTY_BPS', '10000'],
])('%s=%s is refused by its name', (name, value) => {
  expect(() => readConfig({ ...required, [name]: value })).toThrow(name)
})
