import { expect, test } from 'vitest'
import { startTestPayments } from '../testing/payments.ts'
import { givenCompletedOrder, givenOpenOrder } from '../testing/sale.ts'

const payments = await startTestPayments()
const { app, peers } = payments
const read = async ({ userId }: { userId: string }) =>
  (await app.inject({ url: '/api/orders/export', headers: peers.steppedUp(userId) })).json()
const kinds = ({ records }: { records: { kind: string }[] }) => new Set(records.map(({ kind }) => kind))

test('a buyer exports orders and their lines, the seller shares, and each of them nothing of the other', async () => {
  const seller = peers.givenBuyer()
  const item = peers.givenItem({ sellerId: seller.userId })
  const { buyer, items, orderId } = await givenCompletedOrder(payments, { items: [item] })
  const other = await givenOpenOrder(payments)

  const bought = await read(buyer)
  expect(peers.exports).toEqual([buyer.userId])
  expect(kinds(bought)).toEqual(new Set(['order', 'order_line', 'remembered_cards', 'security_event']))
  expect(bought.records).toMatchObject([
    { kind: 'order', data: { id: orderId, totalCents: items[0]!.priceCents, capturedCents: items[0]!.priceCents } },
    { kind: 'order_line', data: { orderId, itemId: items[0]!.itemId, state: 'completed' } },
    { kind: 'remembered_cards', data: { forgetRequestedAt: null } },
    { kind: 'security_event', data: { kind: 'purchase', outcome: 'ok' } },
  ])
  expect(JSON.stringify(bought)).not.toContain(other.orderId)
  expect(JSON.stringify(bought)).not.toMatch(/pi_|cs_|session|intent/)

  const sold = await read(seller)
  expect(kinds(sold).has('share')).toBe(true)
  expect(JSON.stringify(sold)).not.toContain(buyer.userId)
  expect(JSON.stringify(sold)).not.toContain(orderId)
})

test('without a token the export is a 401', async () => {
  expect((await app.inject('/api/orders/export')).statusCode).toBe(401)
})
