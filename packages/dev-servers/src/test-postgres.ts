import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from './postgres.ts'

/** One server for a whole test run; each test file has a database of its own on it. */
export async function setup() {
  const folder = await mkdtemp(join(tmpdir(), 'nifty-test-postgres-'))
  // PostgreSQL refuses to run as root and then needs to reach its folder as another user.
  await chmod(folder, 0o755)
  const server = await startPostgres({ folder: join(folder, 'data'), durable: false })
  process.env.TEST_POSTGRES_URL = server.url
  return async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
    keepExitCode()
  }
}

/** The PostgreSQL package ends an idle process with code 0, and would make a failed run a good one. */
function keepExitCode() {
  const { exitCode } = process
  process.on('exit', () => {
    process.exitCode ||= exitCode
  })
}
