import type { App } from '@nifty/service-kit/http/app'
import { createInternalApp } from '@nifty/service-kit/http/internal'
import type { InternalDeps } from './deps.ts'
import { opsOrderRoutes } from './ops/order.routes.ts'
import { opsPayoutRoutes } from './ops/payout.routes.ts'
import { opsReconcileRoutes } from './ops/reconciliation.routes.ts'

/** The internal HTTP server: routes for operators. */
export function buildInternalApp({ secret, ...deps }: InternalDeps & { secret: string }): App {
  const app = createInternalApp({ log: deps.log, name: 'payments', secret })
  app.register(opsOrderRoutes, deps)
  app.register(opsPayoutRoutes, deps)
  app.register(opsReconcileRoutes, deps)
  return app
}
