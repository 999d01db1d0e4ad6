import { checkedAddress } from '@nifty/contracts/address'
import { type Store, UsageError } from './store.ts'

/** Why an operator acts; the service stores it in its audit log. */
export type OperatorAction = { reason: string }

/** One command of the tool. */
export type Command = {
  /** `<required>` and `[optional]` arguments. */
  usage: string
  about: string
  /**
   * Absent for read-only commands; all others prompt for confirmation. `audited`: a service stores operator and reason,
   * so a reason is required. `unaudited`: no service is called.
   */
  changes?: 'audited' | 'unaudited'
  /** Whether the command takes `--since`. */
  since?: true | 'optional'
  /** Whether the command takes `--json`. */
  json?: true
  /** Further options: flags as commander has them, such as `--of <account>`, and what they do. */
  options?: Record<string, string>
  /**
   * Printed before the confirmation. Nothing else happens unless it `changes` something, or without a terminal and
   * `--yes`.
   */
  preview?: (store: Store, args: string[]) => Promise<Report & { changes: boolean }>
  /** Throws an ExpectedError when a service refuses. */
  run: (
    store: Store,
    args: string[],
    action: OperatorAction,
    since?: Date,
    options?: Options,
  ) => Promise<string | Report>
}

/** Values of the further options, by name. */
export type Options = Record<string, string | boolean | undefined>

/** Output of a check, for `--json` as data. The exit code is 1 unless `ok`, so that jobs fail. */
export type Report = { text: string; ok: boolean; json?: unknown }

export const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** What is wrong with the arguments: no UUID where the usage has an id. Undefined when valid. */
export function usageError(name: string, { usage }: Command, args: string[]): string | undefined {
  const parameters = usage.match(/<[^>]+>|\[[^\]]+\]/g) ?? []
  const invalid = args.findIndex((arg, index) => /\bid[>\]]$/.test(parameters[index]!) && !uuid.test(arg))
  if (invalid >= 0)
    return `${args[invalid]} is not a valid ${parameters[invalid]!.slice(1, -1)}. Usage: pnpm ops ${name} ${usage}`
}

/**
 * The time of `--since`: ISO 8601 with its zone, because the services' and the operator's may differ. Throws for
 * another text, and for an option that is missing.
 */
export function parseSince({ since }: Command, text: string | undefined): Date | undefined {
  if (since !== true && text === undefined) return undefined
  if (text === undefined) throw new UsageError('--since TIME is missing, such as --since 2026-11-22T14:00:00Z')
  return parseTime('--since', text)
}

/** Throws for a text that is no time with a zone. */
export function parseTime(option: string, text: string): Date {
  const time = new Date(text)
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/.test(text) || Number.isNaN(time.getTime()))
    throw new UsageError(`${option} ${text} is no time with a zone, such as 2026-11-22T14:00:00Z`)
  return time
}

/** An address of the chain with its checksum. Throws for another text. */
export function parseAddress(text: string): string {
  const address = checkedAddress(text)
  if (!address) throw new UsageError(`${text} is not an address, or its checksum is wrong`)
  return address
}
