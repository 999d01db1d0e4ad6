import * as api from '@nifty/api/catalog/ops'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import { type EndpointRequest, registerRoute } from '@nifty/service-kit/http/routes'
import { actionOf } from '@nifty/service-kit/http/signed-requests'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { hideItem, showItem } from './moderation.actions.ts'

/** What operators do to an item. */
export const moderationRoutes: FastifyPluginAsync<Deps> = async (app, { db }) => {
  const handle =
    (action: typeof hideItem) => async (request: EndpointRequest<typeof api.hideItem | typeof api.showItem>) => {
      await inTransaction(db, (trx) => action(trx, request.params.id, actionOf(request)))
      return { success: true as const }
    }

  registerRoute(app, api.hideItem, handle(hideItem))
  registerRoute(app, api.showItem, handle(showItem))
}
