import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { hasEngine } from './docker.ts'
import { hasSystemRedis } from './redis.ts'

const runs = (command: string, argument: string) =>
  promisify(execFile)(command, [argument], { timeout: 20_000 }).then(
    () => true,
    () => false,
  )

/**
 * Whether this machine can bring a real Kafka or Redis. Where it cannot, tests that need one are left out aloud; with
 * `CI=true` that is a failure.
 */
export async function canStart(part: 'kafka' | 'redis'): Promise<boolean> {
  if (await hasEngine()) return true
  if (part === 'redis' && (await hasSystemRedis())) return true
  if ((await runs('java', '-version')) && (await runs('mvn', '-version'))) return true
  const missing = `No real ${part} on this machine: it needs a Docker engine, or Java 17 with Maven`
  if (process.env.CI === 'true') throw new Error(missing)
  process.stderr.write(`\n!! ${missing}. Tests that need it are SKIPPED.\n\n`)
  return false
}
