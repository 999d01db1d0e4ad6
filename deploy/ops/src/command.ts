import type { Signature } from './signature.ts'
import type { Store } from './store.ts'

/** One thing that an operator can do. */
export type Command = {
  /** `<needed>` and `[optional]` arguments. */
  usage: string
  about: string
  /**
   * Asked about first; absent for what only looks. `signed`: the service keeps who did it and why, so a reason is
   * needed; `unsigned`: no service hears of it.
   */
  changes?: 'signed' | 'unsigned'
  /** Throws an ExpectedError when the store refuses. */
  run: (store: Store, args: string[], signature: Signature) => Promise<string | Finding>
}

/** What was found, and whether all is well; where it is not, the exit code is 1, for jobs. */
export type Finding = { text: string; well: boolean }

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Says what is wrong with the arguments as such; undefined when nothing is. */
export function misuse(name: string, { usage }: Command, args: string[]): string | undefined {
  const needed = usage.match(/<[^>]+>/g) ?? []
  const optional = usage.match(/\[[^\]]+\]/g) ?? []
  const right = `pnpm ops ${name} ${usage}`.trimEnd()
  if (args.length < needed.length) return `${needed[args.length]} is missing: ${right}`
  if (args.length > needed.length + optional.length)
    return `What is ${args[needed.length + optional.length]}? It is: ${right}`
  const wrong = args.findIndex((arg, place) => /\bid[>\]]$/.test([...needed, ...optional][place]!) && !uuid.test(arg))
  if (wrong >= 0) return `${args[wrong]} is no ${[...needed, ...optional][wrong]!.slice(1, -1)}: ${right}`
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

export const many = (count: number, one: string) => `${count} ${count === 1 ? one : `${one}s`}`

/** "40 seconds", "3 minutes", "2 hours": how long something has lasted. */
export function lasting(since: string, now = Date.now()): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(since)) / 1_000))
  if (seconds < 90) return many(seconds, 'second')
  const minutes = Math.round(seconds / 60)
  if (minutes < 120) return many(minutes, 'minute')
  const hours = Math.round(minutes / 60)
  return hours < 48 ? many(hours, 'hour') : many(Math.round(hours / 24), 'day')
}
