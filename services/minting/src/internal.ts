import { createInternalApp } from '@nifty/service-kit/http/internal'
import type { Log } from '@nifty/service-kit/logs'
import type { Lane } from './chain-transactions/chain-context.ts'
import { deliverableRoutes } from './deliverable/deliverable.routes.ts'
import { deliveryRoutes } from './deliveries/delivery.routes.ts'
import { opsRoutes } from './ops/ops.routes.ts'

/** What minting answers to its neighbours and to the operator. */
export function buildInternalApp({ log, secret, lane }: { log: Log; secret: string; lane: Lane }) {
  const app = createInternalApp({ log, name: 'minting', secret })
  app.register(deliverableRoutes, { lane })
  app.register(deliveryRoutes, { lane })
  app.register(opsRoutes, { lane })
  return app
}
