import { getOrderHistory } from '@nifty/api/payments/ops'
import { assignReversal, listPayouts, listUnpaidShares, recordPayout } from '@nifty/api/payments/ops-money'
import { listOperatorActions } from '@nifty/service-kit/database/operator-audit'
import { expect, test } from 'vitest'
import { startTestPayments } from '../testing/payments.ts'
import { reconcile } from '../testing/reconciliation.ts'
import { givenCompletedOrder, waitForLines } from '../testing/sale.ts'
import type { AccountEntry } from './book.store.ts'
import { paidEntries } from './paid-lines.ts'

const reason = 'paid on the lost day, statement 7'

/** Sales of a seller whose payout is missing in a restored database; the first one was disputed afterwards. */
async function given() {
  const payments = await startTestPayments()
  const ops = payments.internal
  const { userId } = payments.peers.givenBuyer()
  const sell = (priceCents: number) =>
    givenCompletedOrder(payments, {
      items: [payments.peers.givenItem({ sellerId: userId, creatorId: userId, priceCents })],
    })
  const disputed = await sell(12_000)
  const other = await sell(5_000)
  await payments.sandbox.dispute(disputed.intentId)
  await waitForLines(payments, disputed.orderId, 'disputed')
  const pay = (amount: number, lineIds?: string[]) =>
    ops(recordPayout, { body: { payoutId: crypto.randomUUID(), userId, amount, reason, ...(lineIds && { lineIds }) } })
  const { reversals } = await ops(getOrderHistory, { params: { id: disputed.orderId } })
  return {
    payments,
    ops,
    userId,
    sell,
    pay,
    lineIds: [disputed.lines[0]!.id, other.lines[0]!.id] as [string, string],
    owed: async () => (await ops(listPayouts)).due.find((account) => account.userId === userId),
    assignToSeller: () =>
      ops(assignReversal, { body: { reversalId: reversals[0]!.id, borneBy: 'seller', reason: 'a test' } }),
  }
}

test('a payout of the lost day is recorded by its lines, also of one that was disputed since', async () => {
  const { payments, ops, userId, lineIds, owed, pay, sell, assignToSeller } = await given()
  await sell(2_000)
  await expect(pay(153)).rejects.toMatchObject({ code: 'amount_differs' })
  const { shares } = await ops(listUnpaidShares, { params: { userId }, query: {} })
  expect(shares.map(({ lineId, amount, status }) => ({ lineId, amount, status }))).toEqual([
    { lineId: lineIds[0], amount: 108, status: 'held_back' },
    { lineId: lineIds[1], amount: 45, status: 'due' },
    { lineId: expect.any(String), amount: 18, status: 'due' },
  ])

  await pay(153, lineIds)
  expect(await owed()).toMatchObject({ due: 18, heldBack: 0 })
  await assignToSeller()
  expect(await owed()).toMatchObject({ due: -90 })
  expect(await reconcile(payments, { all: true })).toMatchObject({ differences: [] })
  expect(await listOperatorActions(payments.db, [userId])).toMatchObject([
    { action: 'past payout', operator: 'ada', reason },
  ])
})

test('it pays the share of the sale only, when the seller bears the dispute already', async () => {
  const { lineIds, owed, pay, assignToSeller } = await given()
  await assignToSeller()
  await pay(153, lineIds)
  expect(await owed()).toMatchObject({ due: -108 })
})

test('a payout is recorded once, for unpaid lines of the account, with the amount that their shares add up to', async () => {
  const { payments, lineIds, pay } = await given()
  const refused = { code: 'amount_differs' }
  await expect(pay(108, lineIds)).rejects.toMatchObject(refused)
  await expect(pay(45, [lineIds[0]])).rejects.toMatchObject(refused)
  const foreign = (await givenCompletedOrder(payments)).lines[0]!.id
  await expect(pay(153, [...lineIds, foreign])).rejects.toMatchObject({ code: 'line_not_payable' })
  await pay(108, [lineIds[0]])
  await expect(pay(108, [lineIds[0]])).rejects.toMatchObject({ code: 'line_not_payable' })
})

/** A hundred lines of different prices, each refunded since at the expense of the seller. */
function refundedLines() {
  const prices = Array.from({ length: 100 }, (_, index) => 5_000 + ((index * 7_919) % 10_007))
  const unpaid = prices.flatMap((price, index) =>
    [price, -price].map(
      (amountCents, booking) => ({ id: 2 * index + booking, lineId: `line-${index}`, amountCents }) as AccountEntry,
    ),
  )
  const total = prices.reduce((sum, price) => sum + price, 0)
  return { prices, total, unpaid, lineIds: prices.map((_, index) => `line-${index}`) }
}

test('as many lines as one command takes are found by what they were booked with, also when each was refunded since', () => {
  const { prices, total, unpaid, lineIds } = refundedLines()
  const paid = (amountCents: number) => paidEntries(unpaid, { lineIds, amountCents }).map(({ id }) => id)
  const firstOnes = unpaid.filter(({ amountCents }) => amountCents > 0).map(({ id }) => id)

  expect(paid(total).toSorted((a, b) => a - b)).toEqual(firstOnes)
  // The refund of the cheapest line was booked before the payout.
  const [cheapest] = prices.toSorted((a, b) => a - b)
  const refund = unpaid.find(({ amountCents }) => amountCents === -cheapest!)!.id
  expect(paid(total - cheapest!).toSorted((a, b) => a - b)).toEqual([...firstOnes, refund].toSorted((a, b) => a - b))
  expect(() => paid(total + 1)).toThrow('booked with other amounts')
})

test('lines whose shares have too many sums for the amount are refused', () => {
  const { total, unpaid, lineIds } = refundedLines()
  const amountCents = Math.round(total / 2)
  expect(() => paidEntries(unpaid, { lineIds, amountCents })).toThrow('record fewer lines at a time')
})
