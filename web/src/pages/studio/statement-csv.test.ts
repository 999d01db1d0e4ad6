import type { StatementEntry } from '@nifty/api/payments/public'
import { expect, test } from 'vitest'
import { statementCsv } from './statement-csv.ts'

const entry: StatementEntry = {
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
  due: -108,
  status: 'due',
  heldBecause: null,
  dueAt: '2026-12-06T10:00:00.000Z',
  paidOutAt: null,
}
test('a statement as CSV quotes names and keeps negative amounts', async () => {
  const [head, row] = (await statementCsv([entry], 'point')).split('\r\n')
  expect(head).toBe('date,work,kind,cause,price_eur,commission_eur,royalty_eur,yours_eur,status,due_at,paid_out_at')
  expect(row).toBe(
    '2026-11-22T10:00:00.000Z,"Dawn, ""early""",sale,refund,-120,-12,0,-108,due,2026-12-06T10:00:00.000Z,',
  )
})

test('a name is no formula in a spreadsheet', async () => {
  for (const format of ['point', 'comma'] as const) {
    const csv = await statementCsv([{ ...entry, name: '=HYPERLINK("https://evil.test")' }], format)
    expect(csv).toContain(`"'=HYPERLINK(""https://evil.test"")"`)
    expect(await statementCsv([{ ...entry, name: '-1+1' }], format)).toContain(`"'-1+1"`)
  }
})

test('the columns of a sale, a royalty and their reversals sum to nothing', async () => {
  const sale = {
    ...entry,
    name: 'Dawn',
    cause: 'capture' as const,
    price: 33.33,
    commission: 3.33,
    royalty: 1.5,
    due: 28.5,
  }
  const reversed = { ...sale, cause: 'assignment' as const, due: -28.5 }
  const royalty = { ...sale, kind: 'royalty' as const, due: 1.5 }
  const returned = { ...royalty, cause: 'dispute' as const, due: -1.5 }
  const [, ...rows] = (await statementCsv([sale, reversed, royalty, returned], 'point')).split('\r\n')
  expect(rows.map((row) => row.split(',').slice(4, 7).map(Number))).toEqual([
    [33.33, 3.33, 1.5],
    [-33.33, -3.33, -1.5],
    [33.33, 3.33, 1.5],
    [-33.33, -3.33, -1.5],
  ])
})

test('an entry that reverses a part repeats no amount of the whole', async () => {
  const [, row] = (await statementCsv([{ ...entry, due: -50 }], 'point')).split('\r\n')
  expect(row).toContain('sale,refund,,,,-50,')
})

test('with decimal commas a statement has semicolons, two decimals and times that spreadsheets read', async () => {
  const sold = { ...entry, cause: 'capture' as const, price: 6.3, due: -0.5 }
  const [head, row] = (await statementCsv([sold], 'comma')).split('\r\n')
  expect(head).toBe('date;work;kind;cause;price_eur;commission_eur;royalty_eur;yours_eur;status;due_at;paid_out_at')
  expect(row).toBe('2026-11-22 10:00:00;"Dawn, ""early""";sale;capture;6,30;12,00;0,00;-0,50;due;2026-12-06 10:00:00;')
})

test('further pages of a statement have no names of columns', async () => {
  const [first, further] = await Promise.all([statementCsv([entry], 'point'), statementCsv([entry], 'point', false)])
  expect(first.split('\r\n').slice(1)).toEqual(further.split('\r\n'))
})
