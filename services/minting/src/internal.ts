import { createInternalApp } from '@nifty/service-kit/http/internal'
import type { Log } from '@nifty/service-kit/logs'
import { deliverableRoutes } from './deliverable/deliverable.routes.ts'
import { deliveryRoutes } from './deliveries/delivery.routes.ts'
import type { Lane } from './lane/lane.ts'
import { opsRoutes } from './ops/ops.routes.ts'

/** What minting answers to its neighbours and to the operator. */
export function buildInternalApp({ log, secret, lane }: { log: Log; secret: string; lane: Lane }) {
  const app = createInternalApp({ log, name: 'minting', secret })
  app.register(deliverableRoutes, { lane })
  app.register(deliveryRoutes, { lane })
  app.register(opsRoutes, { lane })
  return app
}
