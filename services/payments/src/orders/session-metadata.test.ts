import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Session } from '../processor/processor.ts'
import { readSessionOrder, type SessionOrder, sessionMetadata } from './session-metadata.ts'

const storeId = 'shop'
const names = { storeId, config: { publicUrl: 'https://store.test' } }

const lineOf = (): SessionOrder['lines'][number] => ({
  lineId: randomUUID(),
  itemId: randomUUID(),
  sellerId: randomUUID(),
  creatorId: randomUUID(),
  contract: `0x${'aB'.repeat(20)}`,
  identifier: String(2n ** 256n - 1n),
  listingVersion: 2_147_483_647,
  name: 'Ä'.repeat(80),
  image: `/uploads/nfts/${randomUUID()}`,
  priceCents: 99_999_999,
  royaltyBps: 10_000,
})

function givenSession(
  lines: SessionOrder['lines'],
  wallet: string | null = `0x${'1f'.repeat(20)}`,
  kind: Pick<SessionOrder, 'orderKind' | 'days'> = { orderKind: 'purchase', days: null },
) {
  const fields = { ...kind, buyerId: randomUUID(), wallet, termsVersion: '2025-02-13' }
  const order = { id: randomUUID(), ...fields, commissionBps: 1_000 }
  const amount = lines.reduce((sum, { priceCents }) => sum + priceCents, 0)
  const metadata = sessionMetadata(order, { lines, storeId })
  const session = { orderId: order.id, amount, currency: 'eur', metadata } as Session
  return { order: { ...order, lines }, session }
}

test('the largest order fits into the processor’s limits and is read as it was written', () => {
  const { order, session } = givenSession(Array.from({ length: 10 }, lineOf))
  const entries = Object.entries(session.metadata)
  expect(entries.length).toBeLessThanOrEqual(50)
  expect(Math.max(...entries.map(([name]) => name.length))).toBeLessThanOrEqual(40)
  expect(Math.max(...entries.map(([, value]) => value.length))).toBeLessThanOrEqual(500)
  expect(readSessionOrder(session, names)).toEqual(order)
})

test('an order into custody is read as it was written', () => {
  const { order, session } = givenSession([lineOf()], null)
  expect(readSessionOrder(session, names)).toEqual(order)
})

test('a session of a former release, which names the store by its URL, is read', () => {
  const { order, session } = givenSession([lineOf()])
  const former = { ...session, metadata: { ...session.metadata, store: 'https://store.test' } }
  expect(readSessionOrder(former, names)).toEqual(order)
})

const without = (metadata: Record<string, string>, name: string) =>
  Object.fromEntries(Object.entries(metadata).filter(([key]) => key !== name))

test.each<[string, (session: Session) => Session]>([
  ['another store', (session) => ({ ...session, metadata: { ...session.metadata, store: 'https://other.test' } })],
  ['another format', (session) => ({ ...session, metadata: { ...session.metadata, format: '2' } })],
  ['another amount', (session) => ({ ...session, amount: session.amount! + 1 })],
  ['another currency', (session) => ({ ...session, currency: 'usd' })],
  ['another reference', (session) => ({ ...session, orderId: randomUUID() })],
  ['a malformed wallet', (session) => ({ ...session, metadata: { ...session.metadata, wallet: '0x1' } })],
  ['no commission', (session) => ({ ...session, metadata: without(session.metadata, 'commission_bps') })],
  ['too high a commission', (session) => ({ ...session, metadata: { ...session.metadata, commission_bps: '5001' } })],
  ['a malformed commission', (session) => ({ ...session, metadata: { ...session.metadata, commission_bps: 'x' } })],
  ['a malformed line', (session) => ({ ...session, metadata: { ...session.metadata, line_0: 'x' } })],
  ['no line', (session) => ({ ...session, metadata: { ...session.metadata, line_0: '' } })],
  ['no metadata', (session) => ({ ...session, metadata: {} })],
])('a session of %s has no order', (_what, change) => {
  expect(readSessionOrder(change(givenSession([lineOf()]).session), names)).toBeUndefined()
})

test('an offer has another format, which a release without offers does not read', () => {
  const { order, session } = givenSession([lineOf()], null, { orderKind: 'offer', days: 5 })
  expect(session.metadata).toMatchObject({ format: '2', kind: 'offer', days: '5' })
  expect(readSessionOrder(session, names)).toEqual(order)
  const others: Record<string, string>[] = [
    { kind: 'purchase' },
    { kind: 'auction' },
    { days: '2' },
    { days: '' },
    { format: '1' },
    { format: '3' },
  ]
  for (const changed of others) {
    const metadata = { ...session.metadata, ...changed }
    expect([changed, readSessionOrder({ ...session, metadata }, names)?.orderKind === 'offer']).toEqual([
      changed,
      false,
    ])
  }
})

test('a bid has the format of offers, and no days', () => {
  const { order, session } = givenSession([lineOf()], null, { orderKind: 'bid', days: null })
  expect(session.metadata).toMatchObject({ format: '2', kind: 'bid' })
  expect(readSessionOrder(session, names)).toEqual(order)
  const ofPurchases = { ...session.metadata, format: '1' }
  expect(readSessionOrder({ ...session, metadata: ofPurchases }, names)?.orderKind).toBe('purchase')
})
