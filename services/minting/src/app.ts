import { unavailable } from '@nifty/service-kit/errors'
import { createApp } from '@nifty/service-kit/http/app'
import { accountGuards, createAuthenticate } from '@nifty/service-kit/http/authentication'
import type { Sessions } from '@nifty/service-kit/http/sessions'
import type { Log } from '@nifty/service-kit/logs'
import { findAccount } from './accounts/account.store.ts'
import type { Deps } from './deps.ts'
import { imageRoutes } from './images/image.routes.ts'
import { metadataRoutes } from './mints/metadata.routes.ts'
import { mintRoutes } from './mints/mint.routes.ts'
import { assertMayMint } from './mints/mint.ts'
import { permitRoutes } from './permits/permit.routes.ts'
import { withdrawalRoutes } from './withdrawals/withdrawal.routes.ts'

/** The public routes. */
export function buildApp({ log, sessions, ...rest }: Omit<Deps, 'queryChain'> & { log: Log; sessions: Sessions }) {
  const requireMinter = async (userId: string) => assertMayMint(await findAccount(rest.db, userId))
  const app = createApp({
    log,
    name: 'minting',
    guards: (app) => accountGuards(createAuthenticate(app, sessions), requireMinter),
  })
  const queryChain: Deps['queryChain'] = (query) =>
    query().catch((error) => {
      log.warn({ err: error }, 'chain node does not respond, returning 503')
      throw unavailable('chain_unavailable', 'The blockchain does not respond, please try again.')
    })
  const deps: Deps = { ...rest, queryChain }
  app.register(mintRoutes, deps)
  app.register(permitRoutes, deps)
  app.register(withdrawalRoutes, deps)
  app.register(metadataRoutes, deps)
  app.register(imageRoutes, deps)
  return app
}
