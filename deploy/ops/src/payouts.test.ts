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
