import { Option, Command as Program } from 'commander'
import { commands } from './commands.ts'

export type Values = { reason?: string; since?: string; json?: boolean; yes?: boolean } & Record<string, unknown>
type Run = (name: string, args: string[], values: Values) => Promise<void>

/** The command line of all commands: arguments, options and help. An error is thrown as a `CommanderError`. */
export function createProgram(run: Run): Program {
  const program = withErrors(new Program('pnpm ops'))
    .description('The operator’s tool. Orders, accounts and works are named by what people see of them.')
    .usage('<command> [options]')
  const groups = new Map<string, Program>()
  for (const name of Object.keys(commands).sort((one, other) => one.split(' ').length - other.split(' ').length)) {
    const [first = '', second] = name.split(' ')
    const group = second === undefined ? program : (groups.get(first) ?? addGroup(program, first))
    const added = describeCommand(withErrors(group.command(second ?? first)), name, run)
    if (second === undefined) groups.set(first, added)
    else groups.set(first, group)
  }
  return program
}

const addGroup = (program: Program, name: string) =>
  withErrors(program.command(name)).description(
    Object.keys(commands)
      .filter((each) => each.startsWith(`${name} `))
      .join(', '),
  )

function describeCommand(program: Program, name: string, run: Run): Program {
  const { usage, about, changes, since, json, options = {} } = commands[name]!
  program.description(about)
  for (const argument of usage.match(/<[^>]+>|\[[^\]]+\]/g) ?? []) program.argument(argument)
  for (const [flags, text] of Object.entries(options)) program.option(flags, text)
  if (since) program.option('--since <time>', 'with a zone, such as 2026-11-22T14:00:00Z')
  if (json) program.option('--json', 'for programs')
  // Every command takes them, for scripts that pass them always; the help of one that changes nothing leaves them out.
  program.addOption(new Option('--yes', 'confirms; required without a terminal').hideHelp(!changes))
  program.addOption(
    new Option('--reason <text>', 'for the audit log, at most 500 characters').hideHelp(changes !== 'audited'),
  )
  return program.action((...given: unknown[]) => {
    const command = given.at(-1) as Program
    return run(name, command.args, command.opts<Values>())
  })
}

const withErrors = (program: Program) =>
  program
    .exitOverride()
    .helpCommand(false)
    // `acknowledge` and `acknowledge mails` have the same options: those after the second word are its own.
    .enablePositionalOptions()
    .configureHelp({ sortSubcommands: false })
    .configureOutput({ writeErr: () => {}, writeOut: (text) => process.stdout.write(text) })
