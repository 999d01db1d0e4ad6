import type { OperatorAction } from './operator.ts'
import type { Store } from './store.ts'

/** One command of the tool. */
export type Command = {
  /** `<required>` and `[optional]` arguments. */
  usage: string
  about: string
  /**
   * Absent for read-only commands; all others prompt for confirmation. `audited`: a service stores operator and reason, so a
   * reason is required. `unaudited`: no service is called.
   */
  changes?: 'audited' | 'unaudited'
  /** Throws an ExpectedError when a service refuses. */
  run: (store: Store, args: string[], action: OperatorAction) => Promise<string | Report>
}

/** Output of a check. The exit code is 1 unless `ok`, so that jobs fail. */
export type Report = { text: string; ok: boolean }

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** What is wrong with the arguments: missing, too many, or no UUID where the usage has an id. Undefined when valid. */
export function usageError(name: string, { usage }: Command, args: string[]): string | undefined {
  const required = usage.match(/<[^>]+>/g) ?? []
  const optional = usage.match(/\[[^\]]+\]/g) ?? []
  const parameters = [...required, ...optional]
  const line = `pnpm ops ${name} ${usage}`.trimEnd()
  if (args.length < required.length) return `${required[args.length]} is missing. Usage: ${line}`
  if (args.length > parameters.length) return `Unexpected argument ${args[parameters.length]}. Usage: ${line}`
  const invalid = args.findIndex((arg, index) => /\bid[>\]]$/.test(parameters[index]!) && !uuid.test(arg))
  if (invalid >= 0) return `${args[invalid]} is not a valid ${parameters[invalid]!.slice(1, -1)}. Usage: ${line}`
}
