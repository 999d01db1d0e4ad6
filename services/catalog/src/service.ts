import { join } from 'node:path'
import type { SessionList } from '@nifty/api/internal'
import { createServiceClient } from '@nifty/service-kit/http/internal'
import { watchSessions } from '@nifty/service-kit/http/sessions'
import { prepareDatabase, type RunningService, runService, type ServiceContext } from '@nifty/service-kit/service'
import { buildApp } from './app.ts'
import { createMemoryCache } from './cache/cache.ts'
import { createMarketAnswers } from './cache/cached-responses.ts'
import { watchGeneration } from './cache/generation.ts'
import { createRedisCache } from './cache/redis-cache.ts'
import type { Config } from './config.ts'
import { subscriptions } from './consumers.ts'
import type { Database } from './db.ts'
import { buildInternalApp } from './internal.ts'
import { createCollectors } from './metrics.ts'

export const migrations = join(import.meta.dirname, '../migrations')

export async function startCatalog(parts: ServiceContext, config: Config): Promise<RunningService> {
  const { log, internalSecret: secret, databaseUrl: url } = parts
  const db = await prepareDatabase<Database>(parts, migrations)
  const auth = createServiceClient({ url: config.authUrl, secret, name: 'auth' })
  const minting = createServiceClient({ url: config.mintingUrl, secret, name: 'minting' })
  const sessions = await watchSessions({ read: () => auth<SessionList>('GET', '/internal/sessions'), log })
  const near = createMemoryCache({ maxBytes: config.marketCacheBytes })
  const cache = config.redisUrl ? createRedisCache({ url: config.redisUrl, secret, near, log }) : near
  const generation = watchGeneration({ db, url, log })
  const deps = { db, log, minting, market: createMarketAnswers({ db, cache, generation }) }

  return runService(parts, {
    name: 'catalog',
    db,
    app: buildApp({ ...deps, sessions }),
    internal: buildInternalApp({ ...deps, secret }),
    subscriptions,
    collectors: createCollectors({ market: deps.market, cache }),
    stop: async () => {
      await sessions.stop()
      await generation.stop()
      await cache.stop()
    },
  })
}
