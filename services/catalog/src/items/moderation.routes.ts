import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import * as api from '@nifty/api/catalog/ops'
import { registerRoute } from '@nifty/service-kit/http/routes'
import { inTransaction } from '@nifty/service-kit/transaction'
import type { Deps } from '../deps.ts'
import { hideItem, showItem } from './moderation.actions.ts'

/** What operators do to an item. */
export const moderationRoutes: FastifyPluginAsyncTypebox<Deps> = async (app, { db, responses }) => {
  const handle =
    (action: typeof hideItem) =>
    async ({ params, body }: { params: { id: string }; body: { operator: string; reason: string } }) => {
      await inTransaction(db, (trx) => action(trx, params.id, { operator: body.operator, reason: body.reason }))
      await responses.refresh()
      return { success: true as const }
    }

  registerRoute(app, api.hideItem, handle(hideItem))
  registerRoute(app, api.showItem, handle(showItem))
}
