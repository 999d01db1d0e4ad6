import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from './free-port.ts'
import { startServer } from './server-process.ts'

/** What `pgbouncer.sh` builds. */
const built = join(import.meta.dirname, '../../../../.dev-servers/pgbouncer/pgbouncer')
/** The first version that tracks names of prepared statements. */
const TRACKS_NAMES = [1, 21] as const

/** Passwords by role. */
export type Roles = Record<string, string>

/**
 * Starts PgBouncer in transaction mode before a server of this machine; `url` is the server's with another port. All
 * its connections have the user and password of `serverUrl`, or with `roles` each client's own. Ends with this process.
 * Rejects where no PgBouncer that tracks names of prepared statements is found.
 */
export async function startPgbouncer({
  folder,
  port,
  serverUrl,
  roles,
  settings = {},
}: {
  folder: string
  port?: number
  serverUrl: string
  /** Only these are admitted; without them every client is. */
  roles?: Roles
  /** Added to `pgbouncer.ini`, or in place of what is there. */
  settings?: Record<string, string | number>
}) {
  const chosen = port || (await freePort())
  const server = new URL(serverUrl)
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: chosen,
    unix_socket_dir: '',
    ...(roles ? { auth_type: 'scram-sha-256', auth_file: join(folder, ROLES_FILE) } : { auth_type: 'any' }),
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
  const login = roles ? '' : ` user=${server.username} password=${server.password}`
  const target = `host=${server.hostname} port=${server.port}${login}`
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`)
  await writeFile(file, ['[databases]', `* = ${target}`, '[pgbouncer]', ...lines, ''].join('\n'))
  if (roles) await writeRoles(folder, roles)
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

const ROLES_FILE = 'roles.txt'
const writeRoles = (folder: string, roles: Roles) =>
  writeFile(
    join(folder, ROLES_FILE),
    Object.entries(roles)
      .map(([role, password]) => `"${role}" "${password}"\n`)
      .join(''),
  )

/** Replaces the roles that a running PgBouncer admits. */
export async function changeRoles(folder: string, roles: Roles) {
  await writeRoles(folder, roles)
  process.kill(Number.parseInt(await readFile(join(folder, 'server.pid'), 'utf8'), 10), 'SIGHUP')
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
