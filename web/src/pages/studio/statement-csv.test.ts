import type { Statement } from '@nifty/api/payments/public'
import { expect, test } from 'vitest'
import { statementCsv } from './statement-csv.ts'

const entry: Statement['entries'][number] = {
  _id: 1,
  lineId: 'l',
  itemId: 'i',
  name: 'Dawn, "early"',
  at: '2026-11-22T10:00:00.000Z',
  kind: 'sale',
  cause: 'refund',
  price: 120,
  commission: 12,
  royalty: 0,
  due: -108.5,
  status: 'due',
  dueAt: '2026-12-06T10:00:00.000Z',
  paidOutAt: null,
}
const statement = (entries: Statement['entries']): Statement => ({
  months: ['2026-11'],
  month: '2026-11',
  entries,
  due: 0,
  waiting: 0,
  heldBack: 0,
  paidOut: 0,
})

test('a statement as CSV quotes names and keeps negative amounts', async () => {
  const [head, row] = (await statementCsv(statement([entry]))).split('\r\n')
  expect(head).toBe('date,work,kind,cause,price_eur,commission_eur,royalty_eur,yours_eur,status,due_at,paid_out_at')
  expect(row).toBe(
    '2026-11-22T10:00:00.000Z,"Dawn, ""early""",sale,refund,120,12,0,-108.5,due,2026-12-06T10:00:00.000Z,',
  )
})

test('a name is no formula in a spreadsheet', async () => {
  const csv = await statementCsv(statement([{ ...entry, name: '=HYPERLINK("https://evil.test")' }]))
  expect(csv).toContain(`"'=HYPERLINK(""https://evil.test"")"`)
})
