import { createInternalApp } from '@nifty/service-kit/http/internal'
import type { Log } from '@nifty/service-kit/logs'
import type { Deps } from './app.ts'
import { itemInternalRoutes } from './items/moderation.routes.ts'
import { reservationRoutes } from './items/reservation.routes.ts'

export type InternalDeps = Omit<Deps, 'authenticate'>

/** What catalog answers to its neighbours and to the operator. */
export function buildInternalApp({ log, secret, ...deps }: InternalDeps & { log: Log; secret: string }) {
  const app = createInternalApp({ log, name: 'catalog', secret })
  app.register(reservationRoutes, deps)
  app.register(itemInternalRoutes, deps)
  return app
}
