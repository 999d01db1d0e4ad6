import { csv } from '@nifty/api/csv'
import type { Report } from './command.ts'

/** Columns of equal width, separated by two spaces. */
export function table(rows: (string | number)[][]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => String(row[column]).length))) ?? []
  return rows
    .map((row) =>
      row
        .map((cell, column) => String(cell).padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Text that people typed, in one line and without characters that a terminal obeys. */
export const printable = (text: string) => text.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ')

export const euros = (amount: number) => `${amount.toFixed(2)} €`

/** Rows with their names in the first one: as CSV for spreadsheets, and as data, which has every text as it is. */
export function exported(rows: string[][]): Report {
  const [names = [], ...values] = rows
  const json = values.map((row) => Object.fromEntries(names.map((name, column) => [name, row[column]])))
  return { text: csv(rows), ok: true, json }
}
