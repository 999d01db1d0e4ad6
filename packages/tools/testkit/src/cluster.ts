import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startKafka } from '@nifty/dev-servers/kafka'
import { startObjectStorage } from '@nifty/dev-servers/object-storage'
import { startPgbouncer } from '@nifty/dev-servers/pgbouncer'
import { startRedis } from '@nifty/dev-servers/redis'
import { waitUntil } from './wait-until.ts'

const TIMEOUTS = { timeoutMs: 120_000, intervalMs: 100 }

export type Process = {
  name: string
  program: string
  pid?: number
  ready: boolean
  starts: number
  url?: string
  internalUrl?: string
}

type Server = 'kafka' | 'redis' | 'pooler' | 'object-storage'

/** The processes of a cluster, by its data directory, and the servers that they use. */
export function connectCluster(folder: string) {
  const processes = async (): Promise<Process[]> =>
    JSON.parse(await readFile(join(folder, 'cluster.json'), 'utf8')).processes
  const find = async (name: string) => (await processes()).find((each) => each.name === name)!
  const serverPid = async (server: Server) => Number(await readFile(join(folder, server, 'server.pid'), 'utf8'))
  const ports = async () => JSON.parse(await readFile(join(folder, 'ports.json'), 'utf8')) as Record<string, number>

  const internalUrls = async (): Promise<Record<string, string>> =>
    JSON.parse(await readFile(join(folder, 'operator.json'), 'utf8')).internalUrls

  return {
    processes,
    internalUrls,
    /** Kills a process (SIGKILL) and waits until its successor is ready. */
    kill: async (name: string) => {
      const { pid, starts } = await find(name)
      process.kill(pid!, 'SIGKILL')
      await waitUntil(async () => {
        const now = await find(name)
        return now.starts > starts && now.ready
      }, TIMEOUTS)
    },
    /** Address of the broker. */
    brokers: async () => `127.0.0.1:${(await ports()).kafka}`,
    /** SIGKILL ends a server; one with SIGSTOP takes connections and does not respond until SIGCONT. */
    signalServer: async (server: Server, signal: NodeJS.Signals) => process.kill(await serverPid(server), signal),
    /** Starts it again at the same address, the broker with its data. The caller stops it. */
    startServer: {
      kafka: async () => {
        const { kafka: port, 'kafka-controller': controllerPort } = await ports()
        return startKafka({ folder: join(folder, 'kafka'), port, controllerPort })
      },
      redis: async () => startRedis({ folder: join(folder, 'redis'), port: (await ports()).redis }),
      pooler: async (serverUrl: string) =>
        startPgbouncer({ folder: join(folder, 'pooler'), port: (await ports()).pooler, serverUrl }),
      objectStorage: async () =>
        startObjectStorage({
          folder: join(folder, 'object-storage'),
          port: (await ports())['object-storage'],
          server: 'versitygw',
        }),
    },
  }
}
