import { createInternalApp } from '@nifty/service-kit/http/internal'
import type { Log } from '@nifty/service-kit/logs'
import type { ChainContext } from './chain-transactions/chain-context.ts'
import { deliverableRoutes } from './deliverable/deliverable.routes.ts'
import { deliveryRoutes } from './deliveries/delivery.routes.ts'
import { opsRoutes } from './ops/ops.routes.ts'

/** The internal routes: for other services and for operators. */
export function buildInternalApp({ log, secret, context }: { log: Log; secret: string; context: ChainContext }) {
  const app = createInternalApp({ log, name: 'minting', secret })
  app.register(deliverableRoutes, { context })
  app.register(deliveryRoutes, { context })
  app.register(opsRoutes, { context })
  return app
}
