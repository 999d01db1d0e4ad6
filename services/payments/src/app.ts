import { type App, createApp } from '@nifty/service-kit/http/app'
import { accountGuards, createAuthenticate } from '@nifty/service-kit/http/authentication'
import type { Sessions } from '@nifty/service-kit/http/sessions'
import { statementRoutes } from './books/statement.routes.ts'
import type { Deps } from './deps.ts'
import { orderRoutes } from './orders/order.routes.ts'
import { purchaseRoutes } from './purchases/purchase.routes.ts'
import { webhookRoutes } from './webhooks/webhook.routes.ts'

/** The public HTTP server. */
export function buildApp({ sessions, ...rest }: Deps & { sessions: Sessions }): App {
  const app = createApp({
    log: rest.log,
    name: 'payments',
    guards: (app) => accountGuards(createAuthenticate(app, sessions)),
  })
  const deps: Deps = rest
  app.register(purchaseRoutes, deps)
  app.register(orderRoutes, deps)
  app.register(statementRoutes, deps)
  app.register(webhookRoutes, { db: rest.db, webhookSecrets: rest.config.webhookSecrets, livemode: rest.livemode })
  return app
}
