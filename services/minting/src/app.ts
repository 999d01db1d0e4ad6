import { unavailable } from '@nifty/service-kit/errors'
import { createApp } from '@nifty/service-kit/http/app'
import { type Authenticate, createAuthenticate } from '@nifty/service-kit/http/authentication'
import type { Sessions } from '@nifty/service-kit/http/sessions'
import type { Log } from '@nifty/service-kit/logs'
import type { Kysely } from 'kysely'
import type { Lane } from './chain-transactions/chain-context.ts'
import type { Config } from './config.ts'
import type { Database } from './db.ts'
import { imageRoutes } from './images/image.routes.ts'
import type { ImageStore } from './images/image-store.ts'
import { tokenRoutes } from './mints/metadata.routes.ts'
import { mintRoutes } from './mints/mint.routes.ts'
import { permitRoutes } from './permits/permit.routes.ts'
import { withdrawalRoutes } from './withdrawals/withdrawal.routes.ts'

export type Deps = {
  db: Kysely<Database>
  lane: Lane
  images: ImageStore
  config: Config
  /** Addresses (lower case) that are nobody's wallet. */
  forbiddenRecipients: string[]
  authenticate: Authenticate
  /** Runs a question to the chain; a node that does not answer is a 503. */
  asking: <Answer>(question: () => Promise<Answer>) => Promise<Answer>
}

/** What minting answers to the public. */
export function buildApp({
  log,
  sessions,
  ...parts
}: Omit<Deps, 'authenticate' | 'asking'> & { log: Log; sessions: Sessions }) {
  const app = createApp({ log, name: 'minting' })
  const authenticate = createAuthenticate(app, sessions)
  const asking: Deps['asking'] = (question) =>
    question().catch((error) => {
      log.warn({ err: error }, 'the chain does not answer')
      throw unavailable('chain_unavailable', 'The chain does not answer, please try again.')
    })
  const deps: Deps = { ...parts, authenticate, asking }
  app.register(mintRoutes, deps)
  app.register(permitRoutes, deps)
  app.register(withdrawalRoutes, deps)
  app.register(tokenRoutes, deps)
  app.register(imageRoutes, deps)
  return app
}
