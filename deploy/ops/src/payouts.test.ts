import type { UnpaidShares } from '@nifty/api/payments/ops-money'
import { expect, test } from 'vitest'
import { payoutCommands } from './payouts.ts'
import type { Store } from './store.ts'

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
