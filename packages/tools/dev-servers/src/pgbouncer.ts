import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from './free-port.ts'
import { startServer } from './server-process.ts'

/** What `pgbouncer.sh` builds. */
const built = join(import.meta.dirname, '../../../../.dev-servers/pgbouncer/pgbouncer')
/** The first version that tracks names of prepared statements. */
const TRACKS_NAMES = [1, 21] as const

/**
 * Starts PgBouncer in transaction mode before a server of this machine, whose user and password all its connections
 * have; `url` is the server's with another port. Ends with this process. Rejects where no PgBouncer that tracks names
 * of prepared statements is found.
 */
export async function startPgbouncer({
  folder,
  port,
  serverUrl,
  settings = {},
}: {
  folder: string
  port?: number
  serverUrl: string
  /** Added to `pgbouncer.ini`, or in place of what is there. */
  settings?: Record<string, string | number>
}) {
  const chosen = port || (await freePort())
  const server = new URL(serverUrl)
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: chosen,
    unix_socket_dir: '',
    // Whoever connects has the user of the server's address.
    auth_type: 'any',
    // It refuses to run as root.
    ...(process.getuid?.() === 0 && { user: 'nobody' }),
    pool_mode: 'transaction',
    max_prepared_statements: 500,
    max_client_conn: 1_000,
    default_pool_size: 10,
    ...settings,
  }
  await mkdir(folder, { recursive: true })
  const file = join(folder, 'pgbouncer.ini')
  const target = `host=${server.hostname} port=${server.port} user=${server.username} password=${server.password}`
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`)
  await writeFile(file, ['[databases]', `* = ${target}`, '[pgbouncer]', ...lines, ''].join('\n'))
  const command = await pgbouncerBinary()
  // SIGTERM lets it wait for its clients.
  const bouncer = await startServer({
    command,
    args: [file],
    folder,
    port: chosen,
    cmdlinePart: 'pgbouncer',
    stopSignal: 'SIGQUIT',
  })
  server.port = String(chosen)
  return { url: server.href, ...bouncer, stop: () => bouncer.halt() }
}

/** The system's if it is new enough, else the one that was built. */
export async function pgbouncerBinary() {
  for (const command of ['pgbouncer', built]) if (await tracksNames(command)) return command
  throw new Error(
    `No PgBouncer from ${TRACKS_NAMES.join('.')} on is installed: bash packages/tools/dev-servers/pgbouncer.sh builds one on Debian`,
  )
}

async function tracksNames(command: string) {
  if (command === built && !existsSync(built)) return false
  const { stdout } = await promisify(execFile)(command, ['--version']).catch(() => ({ stdout: '' }))
  const [major, minor] = (/(\d+)\.(\d+)/.exec(stdout)?.slice(1) ?? [0, 0]).map(Number) as [number, number]
  return major > TRACKS_NAMES[0] || (major === TRACKS_NAMES[0] && minor >= TRACKS_NAMES[1])
}
