import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { hasDocker } from './docker.ts'
import { pgbouncerBinary } from './pgbouncer.ts'
import { hasSystemRedis } from './redis.ts'

const runs = (command: string, argument: string) =>
  promisify(execFile)(command, [argument], { timeout: 20_000 }).then(
    () => true,
    () => false,
  )

/**
 * Whether a real Kafka, Redis or PgBouncer can be started on this machine. If not, a warning on stderr names what is
 * missing and the tests that need it are skipped; with `CI=true` it throws. Users are set up in Java only, not in a
 * container.
 */
export async function canStart(server: 'kafka' | 'kafka-with-users' | 'redis' | 'pgbouncer'): Promise<boolean> {
  if (server === 'pgbouncer')
    return pgbouncerBinary().then(
      () => true,
      ({ message }) => missing(message),
    )
  if (server !== 'kafka-with-users' && (await hasDocker())) return true
  if (server === 'redis' && (await hasSystemRedis())) return true
  if ((await runs('java', '-version')) && (await runs('mvn', '-version'))) return true
  return missing(`No real ${server} on this machine: it needs Java 17 with Maven, or (without users) a Docker engine`)
}

function missing(what: string) {
  if (process.env.CI === 'true') throw new Error(what)
  process.stderr.write(`\n!! ${what}. Tests that need it are SKIPPED.\n\n`)
  return false
}
