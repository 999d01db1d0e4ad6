import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import * as api from '@nifty/api/internal'
import { inTransaction } from '@nifty/service-kit/transaction'
import type { InternalDeps } from '../deps.ts'
import { hideItem, showItem } from './moderation.actions.ts'

/** What operators do to an item. */
export const moderationRoutes: FastifyPluginAsyncTypebox<InternalDeps> = async (app, { db, responses }) => {
  const handle =
    (action: typeof hideItem) =>
    async ({ params, body }: { params: { id: string }; body: { by: string; why: string } }) => {
      await inTransaction(db, (trx) => action(trx, params.id, { operator: body.by, reason: body.why }))
      await responses.refresh()
      return { success: true as const }
    }

  app.post('/internal/items/:id/hide', { schema: api.hideItem }, handle(hideItem))
  app.post('/internal/items/:id/show', { schema: api.hideItem }, handle(showItem))
}
