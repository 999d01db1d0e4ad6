import { searchAccounts } from '@nifty/api/auth/account-search'
import type { SaleEntry } from '@nifty/api/payments/sales'
import { expect, test } from 'vitest'
import { salesCommand } from './sales.ts'
import type { Store } from './store.ts'

const facts = {
  at: '2026-11-03T10:00:00.000Z',
  orderId: 'd3ea7c40-151c-497c-be4d-fd9114883227',
  lineId: 'line',
  buyerId: 'buyer',
  name: '=Dusk',
  token: '0xab/1',
  sellerId: 'seller',
  sellerUsername: '@cleo',
  creatorId: 'artist',
}
const entry = (changes: Partial<SaleEntry>): SaleEntry => ({
  ...facts,
  cause: 'capture',
  reversalId: null,
  kind: 'sale',
  amount: 0,
  ...changes,
})
const refund = { at: '2026-11-04T10:00:00.000Z', cause: 'refund', reversalId: 're_1' }
const pages = [
  { entries: [entry({ amount: 102.1 }), entry({ kind: 'royalty', amount: 6.2 })], next: '7' },
  {
    entries: [entry({ kind: 'commission', amount: 11.7 }), entry({ ...refund, kind: 'platform', amount: -120 })],
    next: null,
  },
]
const months: unknown[] = []
const store = {
  payments: async (_endpoint: unknown, { params, query }: any) => {
    months.push(params.month)
    return pages[query.after === '7' ? 1 : 0]
  },
  auth: async (endpoint: unknown) =>
    endpoint === searchAccounts && { accounts: [{ userId: 'artist', username: '@ada' }] },
} as unknown as Store
const sales = async (options: Record<string, string | boolean>) => {
  const report = await salesCommand.run(store, [], { reason: '' }, undefined, options)
  if (typeof report === 'string') throw new Error('no report')
  return report
}

test('entries of one booking are one row, over all pages, with names that a spreadsheet takes for text', async () => {
  const { text } = await sales({ month: '2026-11', csv: true })
  expect(months).toEqual(['2026-11', '2026-11'])
  const [head, captured, refunded, ...rest] = text.split('\r\n')
  expect(head).toMatch(/^"at","cause","order","work","seller","artist","total_eur","seller_eur"/)
  expect(captured).toContain('"capture","D3EA7C40","\'=Dusk","cleo","ada","120.00","102.10","6.20","11.70","0.00"')
  expect(refunded).toContain('"refund","D3EA7C40","\'=Dusk","cleo","ada","-120.00","0.00","0.00","0.00","-120.00"')
  expect(rest).toEqual([])
})

test('the table ends with the sums, and programs get the rows', async () => {
  const { text, json } = await sales({ month: '2026-11' })
  expect(text).toContain('2 bookings: 0.00 €, of it 102.10 € for sellers, 6.20 € for artists')
  expect(json).toMatchObject([
    { cause: 'capture', total_eur: '120.00' },
    { cause: 'refund', reversal: 're_1' },
  ])
})

test('a month that is none is wrong usage', async () => {
  await expect(sales({ month: '2026-13' })).rejects.toThrow('--month 2026-13 is no month')
})
