import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { commands, help } from './commands.ts'
import { whoIsHere } from './signature.ts'
import { findStore } from './store.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)

async function run(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { who: { type: 'string' }, why: { type: 'string' }, yes: { type: 'boolean' }, help: { type: 'boolean' } },
  })
  const [name = '', ...args] = positionals
  const command = commands[name]
  if (!command || values.help) {
    say(help())
    return values.help || name === '' ? 0 : 2
  }

  const signature = { who: values.who ?? whoIsHere(), why: values.why ?? 'no reason given' }
  if (command.changes && !values.yes && !(await agrees(`${name} ${args.join(' ')}: ${command.about}. Go on?`))) {
    say('Nothing was done.')
    return 1
  }
  const text = await command.run(findStore(process.env), args, signature)
  say(text)
  return command.exitCode?.(text) ?? 0
}

/** Asks a person. Where nobody can answer, as in a job, `--yes` must have said it. */
async function agrees(question: string) {
  if (!process.stdin.isTTY) throw new Error('Nobody is here to ask; say --yes')
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question(`${question} [y/N] `)
  terminal.close()
  return /^y(es)?$/i.test(answer.trim())
}

try {
  process.exitCode = await run()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
