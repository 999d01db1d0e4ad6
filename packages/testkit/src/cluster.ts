import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startKafka } from '@nifty/dev-servers/kafka'
import { startRedis } from '@nifty/dev-servers/redis'
import { until } from './until.ts'

const PATIENCE = { patience: 120_000, every: 100 }

export const kinds = ['auth', 'catalog', 'payments', 'minting', 'notification', 'gateway']

export type Process = {
  name: string
  program: string
  pid?: number
  ready: boolean
  starts: number
  internalUrl?: string
}

/** The processes of a store that runs as a cluster on this folder, and what they run on. */
export function openCluster(folder: string) {
  const processes = async (): Promise<Process[]> =>
    JSON.parse(await readFile(join(folder, 'cluster.json'), 'utf8')).processes
  const find = async (name: string) => (await processes()).find((each) => each.name === name)!
  const pidOf = async (part: string) => Number(await readFile(join(folder, part, 'server.pid'), 'utf8'))
  const ports = async () => JSON.parse(await readFile(join(folder, 'ports.json'), 'utf8')) as Record<string, number>

  const internalUrls = async (): Promise<Record<string, string>> =>
    JSON.parse(await readFile(join(folder, 'operator.json'), 'utf8')).internalUrls

  return {
    processes,
    internalUrls,
    /** Ends a process as a power cut would, and waits until its successor can be asked. */
    kill: async (name: string) => {
      const { pid, starts } = await find(name)
      process.kill(pid!, 'SIGKILL')
      await until(async () => {
        const now = await find(name)
        return now.starts > starts && now.ready
      }, PATIENCE)
    },
    /** Ends the broker or the cache as a power cut would. */
    cut: async (part: 'kafka' | 'redis') => process.kill(await pidOf(part), 'SIGKILL'),
    /** Starts it again at the same address, the broker with its data; whoever asks stops it, too. */
    restart: {
      kafka: async () => {
        const { kafka: port, 'kafka-controller': controllerPort } = await ports()
        return startKafka({ folder: join(folder, 'kafka'), port, controllerPort })
      },
      redis: async () => startRedis({ folder: join(folder, 'redis'), port: (await ports()).redis }),
    },
  }
}
