import { type App, createApp } from '@nifty/service-kit/http/app'
import { accountGuards, createAuthenticate } from '@nifty/service-kit/http/authentication'
import type { Sessions } from '@nifty/service-kit/http/sessions'
import type { Log } from '@nifty/service-kit/logs'
import { findAccounts } from './accounts/account.store.ts'
import { requireSeller } from './accounts/account.ts'
import type { Deps } from './deps.ts'
import { listingRoutes } from './items/listing.routes.ts'
import { creatorsRoutes } from './market/creators.routes.ts'
import { marketRoutes } from './market/market.routes.ts'
import { nftRoutes } from './market/nft.routes.ts'

/** The public HTTP API of catalog. */
export function buildApp({ log, sessions, ...rest }: Deps & { log: Log; sessions: Sessions }): App {
  const app = createApp({
    log,
    name: 'catalog',
    guards: (app) =>
      accountGuards(createAuthenticate(app, sessions), async (userId) =>
        requireSeller((await findAccounts(rest.db, [userId])).get(userId)),
      ),
  })
  const deps = rest
  app.register(marketRoutes, deps)
  app.register(nftRoutes, deps)
  app.register(creatorsRoutes, deps)
  app.register(listingRoutes, deps)
  return app
}
