import { join } from 'node:path'
import { listSessions } from '@nifty/api/auth/internal'
import { createServiceClient } from '@nifty/service-kit/http/client'
import { watchSessions } from '@nifty/service-kit/http/sessions'
import { prepareDatabase, type RunningService, runService, type ServiceContext } from '@nifty/service-kit/service'
import { buildApp } from './app.ts'
import { createCachedResponses } from './cache/cached-responses.ts'
import { watchGeneration } from './cache/generation.ts'
import { createRedisCache } from './cache/redis-cache.ts'
import { createMemoryCache } from './cache/response-cache.ts'
import type { Config } from './config.ts'
import { subscriptions } from './consumers.ts'
import type { Database } from './db.ts'
import { buildInternalApp } from './internal.ts'
import { createCollectors } from './metrics.ts'

export const migrations = join(import.meta.dirname, '../migrations')

export async function startCatalog(context: ServiceContext, config: Config): Promise<RunningService> {
  const { log, internalSecret: secret, databaseUrl: url } = context
  const db = await prepareDatabase<Database>(context, migrations)
  const auth = createServiceClient({ url: config.authUrl, secret, name: 'auth' })
  const minting = createServiceClient({ url: config.mintingUrl, secret, name: 'minting' })
  const sessions = await watchSessions({ read: () => auth(listSessions), log })
  const local = createMemoryCache({ maxBytes: config.marketCacheBytes })
  const cache = config.redisUrl ? createRedisCache({ url: config.redisUrl, secret, local, log }) : local
  const generation = watchGeneration({ db, url, log })
  const deps = { db, log, minting, responses: createCachedResponses({ db, cache, generation }) }

  return runService(context, {
    name: 'catalog',
    db,
    app: buildApp({ ...deps, sessions }),
    internal: buildInternalApp({ ...deps, secret }),
    subscriptions,
    collectors: createCollectors({ responses: deps.responses, cache }),
    stop: async () => {
      await sessions.stop()
      await generation.stop()
      await cache.stop()
    },
  })
}
