import type { Signature } from './signature.ts'
import type { Store } from './store.ts'

/** One thing that an operator can do. `changes` are asked about first; the rest only looks. */
export type Command = {
  usage: string
  about: string
  changes?: true
  /** Prints by returning text; throws an ExpectedError when the store refuses. */
  run: (store: Store, args: string[], signature: Signature) => Promise<string>
  /** Exit code of what was found, for jobs: 0 when nothing is wrong. */
  exitCode?: (text: string) => number
}

export function need(args: string[], place: number, name: string): string {
  const value = args[place]
  if (!value) throw new Error(`<${name}> is missing`)
  return value
}

/** Columns of equal width, for people. */
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

export const euros = (amount: number) => `${amount.toFixed(2)} €`

/** "3 minutes", "2 hours": how long something has lasted. */
export function lasting(since: string, now = Date.now()): string {
  const minutes = Math.max(0, Math.round((now - Date.parse(since)) / 60_000))
  if (minutes < 120) return `${minutes} minutes`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`
}
