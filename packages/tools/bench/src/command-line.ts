/** The arguments of `pnpm bench`. */
export type Command = {
  /** Names of parts; all when none is given. */
  parts: string[]
  form: 'whole' | 'short'
  /** File of the report. */
  json: string
}

const DEFAULT_FILE = '.nifty/bench.json'
const usage = (known: string[]) => `Usage: pnpm bench [--short] [--json FILE] [${known.join('|')}]…`

/** Throws with the usage for an unknown option or part. */
export function readCommand(args: string[], known: string[]): Command {
  const command: Command = { parts: [], form: 'whole', json: DEFAULT_FILE }
  const rest = [...args]
  for (let argument = rest.shift(); argument !== undefined; argument = rest.shift()) {
    // `pnpm bench -- --short` passes the two hyphens on.
    if (argument === '--') continue
    if (argument === '--short') command.form = 'short'
    else if (argument === '--json') {
      const file = rest.shift()
      if (!file || file.startsWith('--')) throw new Error(`--json needs a file.\n${usage(known)}`)
      command.json = file
    } else if (known.includes(argument)) command.parts.push(argument)
    else throw new Error(`Unknown argument ${argument}.\n${usage(known)}`)
  }
  return command
}
