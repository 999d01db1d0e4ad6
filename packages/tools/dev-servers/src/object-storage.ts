import { execFile } from 'node:child_process'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { fetched } from './fetched.ts'
import { freePort } from './free-port.ts'
import { startServer } from './server-process.ts'

const BUCKET = 'nifty'
const VERSITYGW = '1.8.0'
const KEY = 'nifty-development'
const ROOT = ['--access', KEY, '--secret', KEY]

export type ObjectStorage = Awaited<ReturnType<typeof startObjectStorage>>

/**
 * An S3 server with the bucket `nifty`. `npm`: fauxqs, which starts in a moment and takes any credentials; `versitygw`:
 * a server for production, built by Go the first time, which takes about a minute of one core.
 */
export async function startObjectStorage({
  folder,
  port,
  server = 'npm',
}: {
  folder: string
  port?: number
  server?: 'npm' | 'versitygw'
}) {
  const chosen = port || (await freePort())
  const data = join(folder, 'data')
  await mkdir(data, { recursive: true })
  const { command, args } = server === 'npm' ? fromNpm(data, chosen) : await fromGo(folder, data, chosen)
  const running = await startServer({ command, args, folder, port: chosen, cmdlinePart: data })
  const pid = async () => Number((await readFile(join(folder, 'server.pid'), 'utf8')).split('\n', 1)[0])
  return {
    /** For `UPLOADS_URL`. */
    url: `s3://${BUCKET}?endpoint=http://127.0.0.1:${chosen}`,
    credentials: { AWS_ACCESS_KEY_ID: KEY, AWS_SECRET_ACCESS_KEY: KEY },
    ...running,
    /** It takes connections and does not answer. */
    hang: async () => {
      process.kill(await pid(), 'SIGSTOP')
      while (!(await stateOf(await pid())).startsWith('T'));
    },
    goOn: async () => process.kill(await pid(), 'SIGCONT'),
    stop: () => running.halt('SIGKILL'),
  }
}

const stateOf = async (pid: number) => (await promisify(execFile)('ps', ['-o', 'state=', '-p', String(pid)])).stdout

function fromNpm(data: string, port: number) {
  const program = join(import.meta.dirname, 'object-storage.main.ts')
  return { command: process.execPath, args: [program, String(port), data, BUCKET] }
}

/** Path of the program. */
async function versitygw() {
  const folder = await fetched(`versitygw-${VERSITYGW}`, (into) =>
    promisify(execFile)('go', ['install', `github.com/versity/versitygw/cmd/versitygw@v${VERSITYGW}`], {
      env: { ...process.env, CGO_ENABLED: '0', GOBIN: into, GOFLAGS: '-buildvcs=false' },
    }),
  )
  return join(folder, 'versitygw')
}

async function fromGo(folder: string, data: string, port: number) {
  const command = await versitygw()
  // Where the file system has no extended attributes.
  await mkdir(join(data, BUCKET), { recursive: true })
  const [sidecar, users] = [join(folder, 'attributes'), join(folder, 'users')]
  for (const each of [sidecar, users]) await mkdir(each, { recursive: true })
  const common = [...ROOT, '--port', `127.0.0.1:${port}`, '--iam-dir', users, '--quiet', '--keep-alive']
  return { command, args: [...common, 'posix', '--sidecar', sidecar, data] }
}

export type AccessKey = { id: string; secret: string }

/** Access keys beside the one of the start, of a versitygw that this machine runs on this port. */
export function accessKeys(port: number) {
  const run = async (login: string[], ...args: string[]) =>
    promisify(execFile)(await versitygw(), ['admin', ...login, '--endpoint-url', `http://127.0.0.1:${port}`, ...args])
  const loginOf = ({ id, secret }: AccessKey) => ['--access', id, '--secret', secret]
  return {
    add: (key: AccessKey) => run(ROOT, 'create-user', ...loginOf(key), '--role', 'admin'),
    remove: ({ id }: AccessKey) => run(ROOT, 'delete-user', '--access', id),
    admits: (key: AccessKey) =>
      run(loginOf(key), 'list-buckets').then(
        () => true,
        () => false,
      ),
  }
}
