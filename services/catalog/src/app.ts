import { type App, createApp } from '@nifty/service-kit/http/app'
import { createAuthenticate } from '@nifty/service-kit/http/authentication'
import type { Sessions } from '@nifty/service-kit/http/sessions'
import type { Log } from '@nifty/service-kit/logs'
import type { InternalDeps } from './deps.ts'
import { listingRoutes } from './items/listing.routes.ts'
import { creatorsRoutes } from './market/creators.routes.ts'
import { marketRoutes } from './market/market.routes.ts'
import { nftRoutes } from './market/nft.routes.ts'

/** The public HTTP API of catalog. */
export function buildApp({ log, sessions, ...rest }: InternalDeps & { log: Log; sessions: Sessions }): App {
  const app = createApp({ log, name: 'catalog' })
  const deps = { ...rest, authenticate: createAuthenticate(app, sessions) }
  app.register(marketRoutes, deps)
  app.register(nftRoutes, deps)
  app.register(creatorsRoutes, deps)
  app.register(listingRoutes, deps)
  return app
}
