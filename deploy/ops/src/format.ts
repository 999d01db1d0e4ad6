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

/** "1 event", "2 events". */
export const plural = (count: number, noun: string) => `${count} ${count === 1 ? noun : `${noun}s`}`

/** Time since an ISO date: "40 seconds", "3 minutes", "2 hours", "2 days". */
export function age(since: string, now = Date.now()): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(since)) / 1_000))
  if (seconds < 90) return plural(seconds, 'second')
  const minutes = Math.round(seconds / 60)
  if (minutes < 120) return plural(minutes, 'minute')
  const hours = Math.round(minutes / 60)
  return hours < 48 ? plural(hours, 'hour') : plural(Math.round(hours / 24), 'day')
}

/** Rows with their names in the first one: as CSV for spreadsheets, and as data, which has every text as it is. */
export function exported(rows: string[][]): Report {
  const [names = [], ...values] = rows
  const json = values.map((row) => Object.fromEntries(names.map((name, column) => [name, row[column]])))
  return { text: csv(rows), ok: true, json }
}
