import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { hasDocker, startContainer } from './docker.ts'
import { freePort } from './free-port.ts'
import { serversFromMaven } from './maven.ts'
import { startServer } from './server-process.ts'

const IMAGE = 'redis:7.2-alpine'

type RedisServer = {
  url: string
  halt: (signal?: NodeJS.Signals) => Promise<void>
  /** Starts it again, empty, at the same address. */
  resume: () => Promise<void>
  stop: () => Promise<void>
}

/** A Redis without persistence: a container, the system's `redis-server`, or the binary from Maven. */
export async function startRedis({ folder, port }: { folder: string; port?: number }): Promise<RedisServer> {
  const chosen = port || (await freePort())
  const server = (await hasDocker())
    ? await startContainer({ image: IMAGE, containerPort: 6379, port: chosen })
    : await onThisMachine(folder, chosen)
  return { url: `redis://127.0.0.1:${chosen}`, ...server, stop: () => server.halt() }
}

async function onThisMachine(folder: string, port: number) {
  await mkdir(folder, { recursive: true })
  const settings = ['--save', '', '--appendonly', 'no', '--maxmemory', '256mb', '--maxmemory-policy', 'allkeys-lru']
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, ...settings]
  return startServer({ command: await redisBinary(), args, folder, port, cmdlinePart: 'redis-server' })
}

/** The system's `redis-server`, else the binary from Maven for this platform. */
async function redisBinary() {
  if (await hasSystemRedis()) return 'redis-server'
  const { redis } = await serversFromMaven()
  const platform = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`
  const name = (await readdir(redis)).find((file) => file.endsWith(platform))
  if (!name || !existsSync(join(redis, name)))
    throw new Error(`Maven has no Redis for ${platform}: install redis-server`)
  return join(redis, name)
}

export const hasSystemRedis = () =>
  promisify(execFile)('redis-server', ['--version']).then(
    () => true,
    () => false,
  )
