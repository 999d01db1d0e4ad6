import { type App, createApp } from '@nifty/service-kit/http/app'
import { type Authenticate, createAuthenticate } from '@nifty/service-kit/http/authentication'
import type { ServiceClient } from '@nifty/service-kit/http/internal'
import type { Sessions } from '@nifty/service-kit/http/sessions'
import type { Log } from '@nifty/service-kit/logs'
import type { Kysely } from 'kysely'
import type { Config } from './config.ts'
import type { Database } from './db.ts'
import { orderRoutes } from './orders/order.routes.ts'
import type { Drive } from './orders/run-until.ts'
import { purchaseRoutes } from './purchases/purchase.routes.ts'
import { webhookRoutes } from './webhooks/webhook.routes.ts'

export type AppParts = {
  db: Kysely<Database>
  log: Log
  sessions: Sessions
  auth: ServiceClient
  drive: Drive
  config: Config
  livemode: boolean
}

/** What routes get. */
export type Deps = Omit<AppParts, 'sessions'> & { authenticate: Authenticate }

/** Everything that this service answers to the public. */
export function buildApp({ sessions, ...parts }: AppParts): App {
  const app = createApp({ log: parts.log, name: 'payments' })
  const deps: Deps = { ...parts, authenticate: createAuthenticate(app, sessions) }
  app.register(purchaseRoutes, deps)
  app.register(orderRoutes, deps)
  app.register(webhookRoutes, { db: parts.db, webhookSecrets: parts.config.webhookSecrets, livemode: parts.livemode })
  return app
}
