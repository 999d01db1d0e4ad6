import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { type Command, misuse } from './command.ts'
import { commands, help } from './commands.ts'
import { type Signature, whoIsHere } from './signature.ts'
import { findStore } from './store.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)
const complain = (text: string) => process.stderr.write(`${text}\n`)

/** Exit codes: 0 done and well · 1 not done, or something found that is not well · 2 asked wrongly. */
async function run(): Promise<number> {
  const { values, positionals } = readArguments()
  const [name = '', ...args] = positionals
  if (values.help || name === '') {
    say(help())
    return 0
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  const wrong = command ? misuse(name, command, args) : `There is no command ${name}.\n\n${help()}`
  if (!command || wrong) {
    complain(wrong!)
    return 2
  }

  const signature = await sign(command, `${name} ${args.join(' ')}`.trim(), values)
  if (!signature) {
    say('Nothing was done.')
    return 1
  }
  const found = await command.run(findStore(process.env), args, signature)
  say(typeof found === 'string' ? found : found.text)
  return typeof found === 'string' || found.well ? 0 : 1
}

type Values = { who?: string; why?: string; yes?: boolean }

/** Asks a person whether to go on, and why. Where nobody can answer, as in a job, the options must have said it. */
async function sign({ changes, about }: Command, what: string, values: Values): Promise<Signature | undefined> {
  const operator = values.who ?? whoIsHere()
  if (!changes) return { operator, reason: 'looks' }
  const needsReason = changes === 'signed' && !values.why
  if (!process.stdin.isTTY) {
    if (!values.yes) throw new Misuse('Nobody is here to ask; say --yes')
    if (needsReason) throw new Misuse('The store keeps who did it and why; say --why REASON')
    return { operator, reason: values.why ?? '' }
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    if (!values.yes && !/^y(es)?$/i.test((await terminal.question(`${what}: ${about}. Go on? [y/N] `)).trim())) return
    const reason = needsReason ? (await terminal.question('Why? ')).trim() : (values.why ?? '')
    return needsReason && reason === '' ? undefined : { operator, reason }
  } finally {
    terminal.close()
  }
}

class Misuse extends Error {}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        who: { type: 'string' },
        reason: { type: 'string' },
        yes: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    })
  } catch (error) {
    throw new Misuse((error as Error).message)
  }
}

try {
  process.exitCode = await run()
} catch (error) {
  complain(error instanceof Error ? error.message : String(error))
  process.exitCode = error instanceof Misuse ? 2 : 1
}
