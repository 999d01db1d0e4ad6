import { Wallet, ZeroAddress } from 'ethers'
import { expect, test } from 'vitest'
import { collectionInterface, deliveryInterface } from './abi.ts'
import { eventTopics, parseChainLog } from './log.ts'

const [collection, delivery, buyer] = [1, 2, 3].map((n) => new Wallet(`0x${`${n}`.repeat(64)}`).address) as [
  string,
  string,
  string,
]
const contracts = { collection, delivery }
const [lineId, account] = [`0x${'0a'.repeat(32)}`, `0x${'0b'.repeat(32)}`]
const delivered = {
  address: delivery,
  ...deliveryInterface.encodeEventLog('Delivered', [lineId, collection, 7n, delivery, buyer]),
}

test('a log of our contract is parsed in any letter case of its address', () => {
  const event = { name: 'delivered', lineId, token: collection, id: 7n, from: delivery, to: buyer }
  expect(parseChainLog(delivered, contracts)).toEqual(event)
  expect(parseChainLog({ ...delivered, address: delivery.toLowerCase() }, contracts)).toEqual(event)
})

test('the same log of another contract is ignored', () => {
  expect(parseChainLog({ ...delivered, address: buyer }, contracts)).toBeUndefined()
  expect(parseChainLog({ ...delivered, address: collection }, contracts)).toBeUndefined()
})

test('events that the store does not use are ignored', () => {
  const signerAdded = { address: delivery, ...deliveryInterface.encodeEventLog('SignerAdded', [buyer, 1n]) }
  expect(parseChainLog(signerAdded, contracts)).toBeUndefined()
  expect(parseChainLog({ address: delivery, topics: [lineId], data: '0x' }, contracts)).toBeUndefined()
  expect(parseChainLog({ address: delivery, topics: [], data: '0x' }, contracts)).toBeUndefined()
})

test('eventTopics contains every parsed event', () => {
  const reason = deliveryInterface.encodeErrorResult('LineUsed', [lineId])
  const logs = [
    collectionInterface.encodeEventLog('Transfer', [ZeroAddress, buyer, 7n]),
    collectionInterface.encodeEventLog('Minted', [lineId, 7n, buyer, account, 'Dusk']),
    collectionInterface.encodeEventLog('MintRefused', [lineId, reason]),
    collectionInterface.encodeEventLog('PermitsVoided', [7n, 2n]),
  ].map((log) => ({ address: collection, ...log }))
  const more = [
    deliveryInterface.encodeEventLog('Refused', [lineId, reason]),
    deliveryInterface.encodeEventLog('CustodyIn', [collection, 7n, account, buyer]),
    deliveryInterface.encodeEventLog('CustodyOut', [collection, 7n, account, buyer]),
    deliveryInterface.encodeEventLog('BeneficiaryChanged', [collection, 7n, account, lineId, lineId]),
  ].map((log) => ({ address: delivery, ...log }))

  expect([...logs, ...more].map((log) => parseChainLog(log, contracts))).toMatchObject([
    { name: 'transfer', token: collection, id: 7n, from: ZeroAddress, to: buyer },
    { name: 'minted', mintId: lineId, id: 7n, to: buyer, work: { imageSha256: account, name: 'Dusk' } },
    { name: 'mint-refused', mintId: lineId, reason: { name: 'LineUsed', args: { lineId } } },
    { name: 'permits-voided', id: 7n, nonce: 2n },
    { name: 'refused', lineId, reason: { name: 'LineUsed', text: `LineUsed(lineId ${lineId})` } },
    { name: 'custody-in', id: 7n, account, from: buyer },
    { name: 'custody-out', id: 7n, account, to: buyer },
    { name: 'beneficiary-changed', account, previous: lineId, lineId },
  ])
  expect(new Set([...logs, ...more, delivered].map(({ topics }) => topics[0]))).toEqual(new Set(eventTopics))
})
