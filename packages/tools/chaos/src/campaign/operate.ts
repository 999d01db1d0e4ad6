import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const ops = join(import.meta.dirname, '../../../../../deploy/ops/src/main.ts')

/** Runs the operator's tool on the store of a data directory. Throws on an exit code other than 0. */
export async function operate(folder: string, args: string[]): Promise<string> {
  const env = { ...process.env, NIFTY_HOME: folder }
  const { stdout } = await promisify(execFile)(process.execPath, [ops, ...args], { env })
  return stdout.trim()
}
