import { expect, test } from 'vitest'
import { type Lookup, parseLookup } from './lookup.ts'

const id = 'd3ea7c40-151c-497c-be4d-fd9114883227'
const contract = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const token = `${contract.toLowerCase()}/12`
const hash = `0x${'ab'.repeat(32)}`

test.each<[string, Lookup]>([
  [` ${id.toUpperCase()} `, { kind: 'id', id }],
  ['D3EA7C40', { kind: 'order_number', number: 'D3EA7C40' }],
  ['# d3ea7c40', { kind: 'order_number', number: 'D3EA7C40' }],
  ['Ada+art@store.example', { kind: 'email', email: 'Ada+art@store.example' }],
  ['@ada', { kind: 'username', username: '@ada' }],
  [contract, { kind: 'wallet', wallet: contract }],
  [hash, { kind: 'transaction', hash }],
  ['pi_3Mtw', { kind: 'payment', id: 'pi_3Mtw' }],
  ['cs_test_a1', { kind: 'payment', id: 'cs_test_a1' }],
  ['re_1', { kind: 'reversal', id: 're_1' }],
  ['du_1', { kind: 'reversal', id: 'du_1' }],
  [`${contract}/12`, { kind: 'token', token }],
  [`https://store.example/item-detail/@ada/${contract}/12`, { kind: 'token', token }],
  [`https://store.example/item-detail/ada/${contract}/12?from=mail#history`, { kind: 'token', token }],
  [`/item-detail/@ada/${contract}/12/`, { kind: 'token', token }],
  [`${contract}/12a`, { kind: 'text', text: `${contract}/12a` }],
  ['Ada Lovelace', { kind: 'text', text: 'Ada Lovelace' }],
  ['d3ea7c4', { kind: 'text', text: 'd3ea7c4' }],
  ['ada@store @', { kind: 'text', text: 'ada@store @' }],
  ['', { kind: 'text', text: '' }],
])('"%s" is %j', (text, expected) => {
  expect(parseLookup(text)).toEqual(expected)
})
