import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { startTestPayments } from '../testing/payments.ts'
import { reconcile } from '../testing/reconciliation.ts'

test('a token whose mint was lost with minting’s database differs only if catalog has no item for it', async () => {
  const payments = await startTestPayments({ manual: true })
  const { peers } = payments
  const owner = randomUUID()
  for (const token of ['0xb/1', '0xb/2']) {
    peers.tokenOwners.set(token, owner)
    peers.unknownTokens.add(token)
  }
  peers.itemOwners.set('0xb/1', owner)
  for (const all of [true, false]) {
    const { differences } = await reconcile(payments, { all })
    expect(differences.map(({ kind, subject, detail }) => [kind, subject, detail])).toEqual([
      ['token', '0xb/2', 'is on the chain, but not in catalog'],
    ])
  }
})
