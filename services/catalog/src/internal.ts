import { createInternalApp } from '@nifty/service-kit/http/internal'
import type { Log } from '@nifty/service-kit/logs'
import type { Deps } from './deps.ts'
import { moderationRoutes } from './items/moderation.routes.ts'
import { reservationRoutes } from './items/reservation.routes.ts'

/** The internal HTTP API: for other services and operators. */
export function buildInternalApp({ log, secret, ...deps }: Deps & { log: Log; secret: string }) {
  const app = createInternalApp({ log, name: 'catalog', secret })
  app.register(reservationRoutes, deps)
  app.register(moderationRoutes, deps)
  return app
}
