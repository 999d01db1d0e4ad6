import { type App, createApp } from '@nifty/service-kit/http/app'
import { type Authenticate, createAuthenticate } from '@nifty/service-kit/http/authentication'
import type { ServiceClient } from '@nifty/service-kit/http/internal'
import type { Sessions } from '@nifty/service-kit/http/sessions'
import type { Log } from '@nifty/service-kit/logs'
import type { Kysely } from 'kysely'
import type { MarketAnswers } from './cache/cached-responses.ts'
import type { Database } from './db.ts'
import { listingRoutes } from './items/listing.routes.ts'
import { creatorRoutes } from './market/creators.routes.ts'
import { marketRoutes } from './market/market.routes.ts'
import { itemRoutes } from './market/nft.routes.ts'

export type Deps = {
  db: Kysely<Database>
  authenticate: Authenticate
  minting: ServiceClient
  market: MarketAnswers
}

/** What catalog answers to everybody. */
export function buildApp({
  log,
  sessions,
  ...rest
}: Omit<Deps, 'authenticate'> & { log: Log; sessions: Sessions }): App {
  const app = createApp({ log, name: 'catalog' })
  const deps = { ...rest, authenticate: createAuthenticate(app, sessions) }
  app.register(marketRoutes, deps)
  app.register(itemRoutes, deps)
  app.register(listingRoutes, deps)
  app.register(creatorRoutes, deps)
  return app
}
