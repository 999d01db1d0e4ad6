import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openCluster } from '@nifty/testkit/cluster'
import { Redis } from 'ioredis'

const AGAIN_MS = 50

/** What may happen to a cache; each begins when it is called and ends when its answer is. */
export type Fault = { name: string; seconds: number; begin: () => Promise<() => Promise<void>> }

/** The faults of the Redis of a store on this folder, in an order in which each finds what it needs. */
export async function faultsOf(folder: string): Promise<{ faults: Fault[]; end: () => Promise<void> }> {
  const ports = JSON.parse(await readFile(join(folder, 'ports.json'), 'utf8'))
  const redis = new Redis({ port: ports.redis, host: '127.0.0.1', maxRetriesPerRequest: 0 })
  redis.on('error', () => {})
  const cluster = openCluster(folder)
  const pid = Number(await readFile(join(folder, 'redis', 'server.pid'), 'utf8'))
  let successor: { stop: () => Promise<void> } | undefined

  /** Does it again and again until told to end. */
  const again = (spoil: () => Promise<unknown>) => async () => {
    let over = false
    const spoiling = (async () => {
      while (!over) {
        await spoil()
        await sleep(AGAIN_MS)
      }
    })()
    return async () => {
      over = true
      await spoiling
    }
  }

  const nothing = async () => {}
  const faults: Fault[] = [
    { name: 'well', seconds: 15, begin: async () => nothing },
    { name: 'flushed', seconds: 15, begin: again(() => redis.flushall()) },
    { name: 'junk', seconds: 15, begin: again(() => fillWithJunk(redis)) },
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
      name: 'standing still',
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
        await cluster.cut('redis')
        return async () => {
          successor = await cluster.restart.redis()
        }
      },
    },
    { name: 'back', seconds: 15, begin: async () => nothing },
  ]
  return {
    faults,
    end: async () => {
      redis.disconnect()
      await successor?.stop()
    },
  }
}

/** Every answer becomes bytes of chance, a thing of another kind, or the answer to another question. */
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
