import { expect, test } from 'vitest'
import { startTestPayments } from '../testing/payments.ts'
import { reconcile } from '../testing/reconciliation.ts'

test('a delivery of the chain that minting has no line for is reported with its wallet or its custody account', async () => {
  const payments = await startTestPayments({ manual: true })
  const delivery = { lineKey: '0x1', recipient: '0xhouse', at: '2026-11-01T00:00:00.000Z', account: null, state: null }
  payments.peers.unexpected.push(
    { ...delivery, token: '0xb/1', txHash: '0xaa' },
    { ...delivery, token: '0xb/2', txHash: '0xbb', account: '0xcc' },
    { ...delivery, token: '0xb/3', txHash: '0xdd', state: 'stopped' },
  )
  const { differences } = await reconcile(payments, { all: true })
  expect(differences.map(({ subject, detail }) => [subject, detail.split(' at ')[0]])).toEqual([
    ['0xb/1 0xaa', 'went to 0xhouse'],
    ['0xb/2 0xbb', 'went to custody, account 0xcc,'],
    ['0xb/3 0xdd', 'went to 0xhouse'],
  ])
  expect(differences.map(({ detail }) => detail.split('), ')[1])).toEqual([
    'without a sale or withdrawal in this store',
    'without a sale or withdrawal in this store',
    'although its line is stopped',
  ])
})
