import * as api from '@nifty/api/catalog/internal'
import { invalid } from '@nifty/service-kit/base/errors'
import { registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { reserveItems } from './reservation.actions.ts'
import { findReservations, overdueReservations, RESERVATIONS_PAGE } from './reservation.store.ts'

export const reservationRoutes: FastifyPluginAsync<Deps> = async (app, deps) => {
  registerRoute(app, api.reserveItems, async ({ body }) => {
    const ids = new Set(body.items.map(({ itemId }) => itemId))
    if (ids.size !== body.items.length) throw invalid('duplicate_items', 'Each item can be bought once')
    if (Number.isNaN(Date.parse(body.until))) throw invalid('invalid_until', 'until is not a date')
    return reserveItems(deps, body)
  })

  registerRoute(app, api.listOverdueReservations, async ({ query }) => {
    const reservations = await overdueReservations(deps.db, query.after ?? null)
    return { reservations, next: reservations.length < RESERVATIONS_PAGE ? null : reservations.at(-1)!.itemId }
  })

  registerRoute(app, api.findReservations, async ({ body }) => ({
    reservations: await findReservations(deps.db, body.itemIds),
  }))
}
