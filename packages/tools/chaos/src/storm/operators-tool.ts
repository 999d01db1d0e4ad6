import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Journal } from './journal.ts'

const run = promisify(execFile)
const program = join(import.meta.dirname, '../../../../../deploy/ops/src/main.ts')
const RETRY_MS = 1_000
const ATTEMPTS = 60
/** Exit code of a command that no repetition makes right. */
const WRONG_USE = 2

/** Runs a command of `pnpm ops`, again while a service is down: every command is safe to repeat. */
export type OperatorsTool = (args: string[]) => Promise<void>

export function createOperatorsTool(variables: NodeJS.ProcessEnv, journal: Journal): OperatorsTool {
  const env = { ...process.env, ...variables }
  return async (args) => {
    const all = [program, ...args, '--yes']
    for (let attempt = 1; ; attempt++) {
      const outcome = await run(process.execPath, all, { env }).catch((error: Error) => error)
      const failed = outcome instanceof Error
      journal.write({
        actor: 'nemesis',
        what: `ops ${args[0]}`,
        args,
        attempt,
        ...(failed ? { error: outcome.message } : outcome),
      })
      if (!failed) return
      const isMistake = (outcome as { code?: number }).code === WRONG_USE
      if (isMistake || attempt === ATTEMPTS) throw outcome
      await sleep(RETRY_MS)
    }
  }
}
