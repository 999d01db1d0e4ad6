import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

const address = `0x${'1'.repeat(40)}`
const required = {
  CHAIN_RPC_URL: 'http://node.test',
  CHAIN_SIGNER_KEY: `0x${'2'.repeat(64)}`,
  CHAIN_COLLECTION: address,
  CHAIN_DELIVERY: address,
  UPLOADS_DIR: '/uploads',
}

test('a trailing slash of PUBLIC_URL does not reach the URLs of the metadata', () => {
  expect(readConfig({ ...required, PUBLIC_URL: 'https://shop.example/' }).publicUrl).toBe('https://shop.example')
})

test('a small RATE_LIMIT_FACTOR leaves at least one mint per hour', () => {
  expect(readConfig({ ...required, RATE_LIMIT_FACTOR: '0.01' }).mintsPerHour).toBe(1)
  expect(readConfig({ ...required, MINTS_PER_HOUR: '60', RATE_LIMIT_FACTOR: '2' }).mintsPerHour).toBe(120)
})

test.each([
  ['CHAIN_SIGNER_KEY', '0x12'],
  ['CHAIN_COLLECTION', 'nifty.eth'],
  ['CHAIN_ID', '0'],
  ['RATE_LIMIT_FACTOR', '0'],
  ['ROYALTY_BPS', '10000'],
])('%s=%s is refused by its name', (name, value) => {
  expect(() => readConfig({ ...required, [name]: value })).toThrow(name)
})
