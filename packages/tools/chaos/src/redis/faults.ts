import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectCluster } from '@nifty/testkit/cluster'
import { Redis } from 'ioredis'

const INTERVAL_MS = 50

/** A fault injected into a cache: `begin` starts it and returns the function that ends it. */
export type Fault = { name: string; seconds: number; begin: () => Promise<() => Promise<void>> }

/** Faults for the Redis of the store with this data directory, in an order in which each finds Redis running. */
export async function redisFaults(folder: string): Promise<{ faults: Fault[]; close: () => Promise<void> }> {
  const ports = JSON.parse(await readFile(join(folder, 'ports.json'), 'utf8'))
  const redis = new Redis({ port: ports.redis, host: '127.0.0.1', maxRetriesPerRequest: 0 })
  redis.on('error', () => {})
  const cluster = connectCluster(folder)
  const pid = Number(await readFile(join(folder, 'redis', 'server.pid'), 'utf8'))
  let successor: { stop: () => Promise<void> } | undefined

  /** Repeats an action until the fault ends. */
  const repeatedly = (spoil: () => Promise<unknown>) => async () => {
    let over = false
    const spoiling = (async () => {
      while (!over) {
        await spoil()
        await sleep(INTERVAL_MS)
      }
    })()
    return async () => {
      over = true
      await spoiling
    }
  }

  const nothing = async () => {}
  const faults: Fault[] = [
    { name: 'no fault', seconds: 15, begin: async () => nothing },
    { name: 'flushed', seconds: 15, begin: repeatedly(() => redis.flushall()) },
    { name: 'junk', seconds: 15, begin: repeatedly(() => fillWithJunk(redis)) },
    {
      name: 'full',
      seconds: 15,
      begin: async () => {
        await redis.config('SET', 'maxmemory-policy', 'noeviction')
        await redis.config('SET', 'maxmemory', '1')
        return async () => void (await redis.config('SET', 'maxmemory', '256mb'))
      },
    },
    {
      name: 'paused',
      seconds: 20,
      begin: async () => {
        process.kill(pid, 'SIGSTOP')
        return async () => void process.kill(pid, 'SIGCONT')
      },
    },
    {
      name: 'stopped',
      seconds: 30,
      begin: async () => {
        await cluster.signalServer('redis', 'SIGKILL')
        return async () => {
          successor = await cluster.startServer.redis()
        }
      },
    },
    { name: 'restarted', seconds: 15, begin: async () => nothing },
  ]
  return {
    faults,
    close: async () => {
      redis.disconnect()
      await successor?.stop()
    },
  }
}

/** Replaces each entry by random bytes, by a value of another type, or by another entry. */
async function fillWithJunk(redis: Redis) {
  const keys = await redis.keys('nifty:market:*')
  const other = keys[0] ? await redis.getBuffer(keys[0]).catch(() => null) : null
  for (const [place, key] of keys.entries()) {
    if (place % 3 === 0) await redis.set(key, randomBytes(500))
    else if (place % 3 === 1 && other) await redis.set(key, other)
    else {
      await redis.del(key)
      await redis.lpush(key, 'junk')
    }
  }
}
