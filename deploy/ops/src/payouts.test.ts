import { type Endpoint, rolesOf } from '@nifty/api/endpoint'
import { getOrderHistory, refundLine } from '@nifty/api/payments/ops'
import type { UnpaidShares } from '@nifty/api/payments/ops-money'
import { expect, test } from 'vitest'
import { orderCommands } from './orders.ts'
import { payoutCommands } from './payouts.ts'
import { salesCommand } from './sales.ts'
import type { Store } from './store.ts'

const id = 'd3ea7c40-151c-497c-be4d-fd9114883227'

const share = (lineId: string): UnpaidShares['shares'][number] => ({
  lineId,
  name: 'Dusk',
  amount: 108,
  balance: 0,
  status: 'held_back',
  dueAt: '2026-03-01T12:00:00.000Z',
})

test('the unpaid lines of an account are read page by page', async () => {
  const asked: (string | undefined)[] = []
  const payments = async (_endpoint: unknown, { query }: { query: { after?: string } }): Promise<UnpaidShares> => {
    asked.push(query.after)
    return query.after === undefined ? { shares: [share('one')], next: '7' } : { shares: [share('two')], next: null }
  }
  const { preview } = payoutCommands['record-past-payout']!
  const { text, changes } = await preview!({ payments } as unknown as Store, ['d3ea7c40-151c-497c-be4d-fd9114883227'])
  expect(asked).toEqual([undefined, '7'])
  expect(text.split('\n').map((line) => line.split(' ', 1)[0])).toEqual(['line', 'one', 'two'])
  expect(changes).toBe(false)
})

test('what is owed has the address of each account, read in portions, and none of a deleted one', async () => {
  const owed = (userId: string, payee: object | null = null) => ({
    userId,
    username: `@${userId}`,
    entries: 1,
    due: 90,
    waiting: 0,
    heldBack: 0,
    heldBecause: [],
    suspended: false,
    payee,
  })
  const sellers = Array.from({ length: 201 }, (_, at) => `seller-${at}`)
  const payee = { firstName: 'Eve', email: 'eve@nifty.test', deletedAt: '2026-11-26T01:00:00.000Z' }
  const portions: number[] = []
  const store = {
    payments: async () => ({ due: [...sellers.map((id) => owed(id)), owed('eve', payee)] }),
    auth: async (_endpoint: unknown, { body: { ids } }: { body: { ids: string[] } }) => {
      portions.push(ids.length)
      const accounts = ids.filter((id) => id !== 'eve').map((userId) => ({ userId, email: `${userId}@nifty.test` }))
      return { accounts }
    },
  }

  const report = await payoutCommands.payouts!.run(store as unknown as Store, [], { reason: '' })

  const rows = (report as { json: Record<string, string>[] }).json
  expect(portions).toEqual([200, 2])
  expect(rows[200]).toMatchObject({ username: 'seller-200', email: 'seller-200@nifty.test', deleted_email: '' })
  expect(rows[201]).toMatchObject({ email: '', deleted_email: 'eve@nifty.test' })
})

test.each([
  ['payouts', payoutCommands.payouts!, []],
  ['record-payout', payoutCommands['record-payout']!, ['@eve', '90']],
  ['record-past-payout', payoutCommands['record-past-payout']!, ['@eve', '90', id]],
  ['refund', orderCommands.refund!, ['#1a2b3c4d']],
  ['sales', salesCommand, []],
])('%s takes an operator whose only role is money', async (_name, command, args) => {
  const refused: string[] = []
  const response = {
    accounts: [{ userId: id, username: '@eve', email: 'eve@nifty.test' }],
    due: [{ userId: id, username: '@eve', heldBecause: [], payee: null, due: 90, waiting: 0, heldBack: 0, entries: 1 }],
    orders: [{ _id: id, lines: [{ _id: id }] }],
    entries: [
      {
        at: '2026-03-01T12:00:00.000Z',
        orderId: id,
        lineId: id,
        buyerId: id,
        name: 'Dusk',
        token: null,
        sellerId: id,
        sellerUsername: '@eve',
        creatorId: id,
        cause: 'capture',
        reversalId: null,
        kind: 'sale',
        amount: 90,
      },
    ],
    amount: 90,
    state: 'succeeded',
    next: null,
  }
  const call = async (endpoint: Endpoint) => {
    if (!rolesOf(endpoint).includes('money')) refused.push(endpoint.path)
    return response
  }

  await command.run({ payments: call, auth: call } as unknown as Store, args, { reason: 'a test' }, undefined, {
    csv: true,
  })

  expect(refused).toEqual([])
})

test('the page of an order in the office takes the operators who refund on it', () => {
  expect(rolesOf(getOrderHistory)).toEqual(expect.arrayContaining(rolesOf(refundLine)))
})
